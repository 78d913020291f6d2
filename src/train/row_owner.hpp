// Who has the rows of a fit: this process, or others on its behalf.
#pragma once

#include <memory>
#include <string>

#include "likelihood/likelihood.hpp"
#include "site/targets.hpp"
#include "store/row_store.hpp"
#include "table/feature_map.hpp"
#include "train/parameters.hpp"
#include "train/site_rows.hpp"

namespace induce::detail {

// What the rows of a stage are wanted for.
struct StageNeeds {
  Index m = 0;
  const Likelihood& likelihood;
  std::string rule;        // of the sites
  KernelSetting setting;   // of the kernels
  std::size_t memory = 0;  // bytes for K and V
};

class RowOwner {
 public:
  virtual ~RowOwner() = default;
  // Rows in the model's units, which must outlive the result, as must the targets.
  virtual std::unique_ptr<SiteRows> site_rows(const RowMatrix& X, const Targets& targets,
                                              const StageNeeds& needs) = 0;
  // All rows of a large table.
  virtual std::unique_ptr<SiteRows> site_rows(const FeatureMap& map, const StageNeeds& needs) = 0;
};

class LocalOwner final : public RowOwner {
 public:
  // `all`: the rows of a large table, if the fit has one.
  explicit LocalOwner(Workers& workers, const RowStore* all = nullptr) : workers_(workers), all_(all) {}
  std::unique_ptr<SiteRows> site_rows(const RowMatrix& X, const Targets& targets,
                                      const StageNeeds& needs) override;
  std::unique_ptr<SiteRows> site_rows(const FeatureMap& map, const StageNeeds& needs) override;

 private:
  Workers& workers_;
  const RowStore* all_;
};

}  // namespace induce::detail
