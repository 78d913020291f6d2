// The rows of a fit: from wherever they are to what it is planned with. All of them if they are few, else a sample.
#pragma once

#include <functional>
#include <optional>
#include <span>

#include <induce/model.hpp>
#include <induce/options.hpp>
#include <induce/table.hpp>

#include "fit/project_rows.hpp"
#include "shard/shards.hpp"
#include "store/memory_store.hpp"
#include "train/plan.hpp"

namespace induce::detail {

// The most rows of a sample, so that it stays small; a few of them are always affordable, and needed.
constexpr std::size_t rows_of_a_sample(std::size_t columns) {
  constexpr std::size_t cells = std::size_t{1} << 23, fewest = 1000;
  return std::max(fewest, cells / std::max<std::size_t>(1, columns));
}
// Tables with more rows than the sample would have are large: they are planned with one.
bool is_large(std::size_t rows, std::size_t columns, const Options& options);
// Rows of the sample of a large table.
std::size_t sample_size(std::size_t columns, const Options& options);

class FitRows {
 public:
  // All must outlive this, as must the rows. `carrier`: to shards, if any. The monitor may end a projection early.
  FitRows(const Options& options, const Names& names, Carrier* carrier, Workers& workers, Monitor& monitor);
  FitRows(const FitRows&) = delete;
  FitRows& operator=(const FitRows&) = delete;

  // One of these, which check the data and may throw Stopped.
  void take(TableView table, std::span<const int> labels, std::span<const double> weights,
            const Groups& groups = {});
  // Becomes a dense table; if that would have mostly zeros, one of a few linear features.
  void take(const SparseView& table, std::span<const int> labels, std::span<const double> weights,
            const Groups& groups = {});
  // The rows of a large table.
  void take(const RowStore& all);
  // The rows that the shards have read.
  void take_from_shards();

  const MemoryStore& rows() const { return *rows_; }
  const RowFacts& facts() const { return facts_ ? *facts_ : rows_->facts(); }  // of all rows
  const std::optional<Population>& all() const { return all_; }                // if the rows are a sample
  const RowGroups& groups() const { return groups_; }                          // of the rows of rows()
  void have_trials() { groups_.of_trials = true; }                             // after one of the above
  RowOwner& owner() { return *owner_; }
  const Shards* shards() const { return shards_ ? &*shards_ : nullptr; }
  const std::shared_ptr<const Projection>& projection() const { return projected_.projection; }
  const Names& names() const { return names_; }  // of the table that is fitted
  std::vector<Index> column_order() const;       // in which columns are hashed
  // See TrainingPlan.
  const std::function<RowMatrix(const std::vector<char>& without)>& table_without() const {
    return table_without_;
  }

 private:
  template <class Table>
  void check(const Table& table, std::span<const int> labels, std::span<const double> weights) const;
  void take_checked(TableView table, std::span<const int> labels, std::span<const double> weights);
  void take_store(const RowStore& all);
  void take_all(TableView table, std::span<const int> labels, std::span<const double> weights);
  void take_sample(OwnedRows sample, const RowFacts& facts, Population all);
  void order_shards();
  void take_groups(const Groups& groups, std::size_t rows, std::span<const double> weights);
  double share_of_sample(const RowFacts& facts, Index columns) const;

  const Options& options_;
  Names names_;
  Workers& workers_;
  Monitor& monitor_;
  std::optional<Shards> shards_;
  std::optional<LocalOwner> here_;
  RowOwner* owner_;
  RowMatrix dense_;  // a sparse table with its zeros
  ProjectedRows projected_;
  std::function<RowMatrix(const std::vector<char>& without)> table_without_;
  OwnedRows own_;                     // what the rows refer to, unless they are the user's
  std::optional<MemoryStore> large_;  // all rows of a large table in memory
  std::optional<MemoryStore> rows_;
  const RowFacts* facts_ = nullptr;  // of a sample: those of all rows
  std::optional<Population> all_;
  RowGroups groups_;
};

}  // namespace induce::detail
