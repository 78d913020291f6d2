// Who keeps the rows of a stage: this process, or others on its behalf.
#pragma once

#include <memory>
#include <string_view>

#include "likelihood/likelihood.hpp"
#include "site/targets.hpp"
#include "table/feature_map.hpp"
#include "train/parameters.hpp"
#include "train/site_rows.hpp"

namespace induce {

// What the rows are wanted for.
struct StageNeeds {
  Index m = 0;
  const Likelihood& likelihood;
  std::string_view rule;         // of the sites
  const KernelSetting& setting;  // of the kernels
  std::size_t memory = 0;        // bytes for K and V
};

class RowPlaces {
 public:
  virtual ~RowPlaces() = default;
  // The rows of a table in memory, which must outlive the result, as must the targets.
  virtual std::unique_ptr<SiteRows> place(const RowMatrix& X, const Targets& targets,
                                          const StageNeeds& needs) = 0;
};

// All rows of a large table, of which only a sample is planned with and fills the first stages.
class AllRows {
 public:
  virtual ~AllRows() = default;
  virtual Index n() const = 0;
  virtual bool in_memory() const { return true; }  // of this process
  virtual std::unique_ptr<SiteRows> place(const FeatureMap& map, const StageNeeds& needs) = 0;
};

// Keeps all rows in this process.
class PlacesHere final : public RowPlaces {
 public:
  explicit PlacesHere(Workers& workers) : workers_(workers) {}
  std::unique_ptr<SiteRows> place(const RowMatrix& X, const Targets& targets,
                                  const StageNeeds& needs) override;

 private:
  Workers& workers_;
};

}  // namespace induce
