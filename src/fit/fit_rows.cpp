#include "fit/fit_rows.hpp"

#include <algorithm>

#include <induce/error.hpp>

#include "describe/option_values.hpp"
#include "fit/check_data.hpp"
#include "rows/sparse_rows.hpp"
#include "store/row_order.hpp"

namespace induce::detail {
namespace {

bool may_be_elsewhere(const Options& options) { return rows_may_be_elsewhere(traits_of(options.method)); }

void require_elsewhere(const Options& options) {
  if (may_be_elsewhere(options)) return;
  std::string able;
  for (const MethodTraits& row : methods)
    if (rows_may_be_elsewhere(row)) able += (able.empty() ? "" : ", ") + std::string(row.name);
  throw usage_error("method = " + std::string(traits_of(options.method).name) +
                    ": its rows must be in one process; methods for several processes: " + able);
}

}  // namespace

bool is_large(std::size_t rows, std::size_t columns, const Options& options) {
  return rows > sample_size(columns, options);
}

std::size_t sample_size(std::size_t columns, const Options& options) {
  return std::min(options.sample_rows, rows_of_a_sample(columns));
}

FitRows::FitRows(const Options& options, const Names& names, Carrier* carrier, Workers& workers,
                 Monitor& monitor)
    : options_(options),
      names_(names),
      workers_(workers),
      monitor_(monitor),
      here_(workers),
      owner_(&*here_) {
  if (!carrier) return;
  require_elsewhere(options);
  shards_.emplace(*carrier, workers);
  owner_ = &*shards_;
  monitor.watch_shards(shards_->count(), [this] { return shards_->traffic().imbalance(); });
}

std::vector<Index> FitRows::column_order() const {
  return columns_by_name(rows_ ? rows_->table().d : names_.features.size(), names_.features);
}

// A large table is planned with this share of the user's rows.
double FitRows::share_of_sample(const RowFacts& facts, Index columns) const {
  const std::size_t size = sample_size(static_cast<std::size_t>(columns), options_);
  return std::min(1.0, static_cast<double>(size) / static_cast<double>(facts.with_weight()));
}

template <class Table>
void FitRows::check(const Table& table, std::span<const int> labels, std::span<const double> weights) const {
  check_data(table, labels, names_);
  check_weights(labels, weights, names_);
  check_options(options_, table.n);
}

void FitRows::take(TableView table, std::span<const int> labels, std::span<const double> weights,
                   const Groups& groups) {
  check(table, labels, weights);
  take_groups(groups, table.n, weights);
  take_checked(table, labels, weights);
}

void FitRows::take_groups(const Groups& groups, std::size_t rows, std::span<const double> weights) {
  check_groups(groups, rows, weights);
  if (!groups.of.empty() && shards_)
    throw usage_error("groups: the rows of a fit over several processes cannot have groups or times");
  // Numbered from 0 without gaps, in the same order.
  std::vector<int> known(groups.of.begin(), groups.of.end());
  std::sort(known.begin(), known.end());
  known.erase(std::unique(known.begin(), known.end()), known.end());
  groups_ = {{}, groups.in_time};
  for (const int group : groups.of)
    groups_.of.push_back(
        static_cast<int>(std::lower_bound(known.begin(), known.end(), group) - known.begin()));
}

void FitRows::take_checked(TableView table, std::span<const int> labels, std::span<const double> weights) {
  if (!is_large(table.n, table.d, options_) || !may_be_elsewhere(options_))
    return take_all(table, labels, weights);
  const std::vector<Index> order = columns_by_name(table.d, names_.features);
  if (shards_) {
    shards_->hand_out(table, labels, weights);
    shards_->count_rows(order);
    return order_shards();
  }
  large_.emplace(table, labels, weights, order, workers_);
  take_store(*large_);
}

void FitRows::take_all(TableView table, std::span<const int> labels, std::span<const double> weights) {
  if (traits_of(options_.method).defaults.merge_rows)
    rows_.emplace(table, labels, weights, columns_by_name(table.d, names_.features), workers_);
  else
    rows_.emplace(MemoryStore::as_it_is(table, labels, weights));
}

void FitRows::take_sample(OwnedRows sample, const RowFacts& facts, Population all) {
  own_ = std::move(sample);
  take_all(own_.view(), own_.labels, own_.weights);
  facts_ = &facts;
  all_ = all;
}

void FitRows::take(const RowStore& all) {
  check_options(options_, static_cast<std::size_t>(all.facts().rows));
  check_facts(all.facts(), static_cast<std::size_t>(all.columns()), names_);
  take_store(all);
}

void FitRows::take_store(const RowStore& all) {
  owner_ = &here_.emplace(workers_, &all);
  std::vector<int> of_sample;
  const auto note_group = [&](Index row, Index copy) {
    if (!groups_.of.empty())
      of_sample.push_back(groups_.of[static_cast<std::size_t>(large_->table_row(row, copy))]);
  };
  take_sample(draw_sample(all, share_of_sample(all.facts(), all.columns()), note_group), all.facts(),
              {.n = all.n(), .in_memory = all.in_memory()});
  groups_.of = std::move(of_sample);
  if (!groups_.of.empty())
    check_several_groups(groups_.of, groups_.in_time, "all rows of the sample (option sample_rows)");
}

void FitRows::order_shards() {
  shards_->order_rows();
  const RowFacts& facts = shards_->facts();
  take_sample(shards_->draw_sample(share_of_sample(facts, shards_->columns())), facts, {.n = shards_->n()});
}

void FitRows::take_from_shards() {
  const RowFacts& facts = shards_->count_rows(column_order());
  const std::size_t rows = static_cast<std::size_t>(facts.rows),
                    columns = static_cast<std::size_t>(shards_->columns());
  if (rows == 0) throw data_error("the data has no rows or no features");
  check_options(options_, rows);
  if (is_large(rows, columns, options_)) {
    check_facts(facts, columns, names_);
    return order_shards();
  }
  own_ = shards_->gather();
  check(own_.view(), own_.labels, own_.weights);
  take_all(own_.view(), own_.labels, own_.weights);
}

void FitRows::take(const SparseView& table, std::span<const int> labels, std::span<const double> weights,
                   const Groups& groups) {
  check_entries(table);
  if (!stays_sparse(table.n, table.d, table.entries())) {
    dense_.resize(static_cast<Index>(table.n), static_cast<Index>(table.d));
    write_dense(table, 0, table.n, dense_.data());
    return take(TableView{dense_.data(), table.n, table.d}, labels, weights, groups);
  }
  check(table, labels, weights);
  take_groups(groups, table.n, weights);
  check_sparse_fit(names_, options_);
  const auto project = [this, &table, labels](std::span<const double> known_weights) {
    return project_rows(table, labels, names_.classes.size(), known_weights, options_.standardize,
                        options_.seed, workers_, [this] { return monitor_.must_end(); });
  };
  projected_ = project(weights);
  table_without_ = [project, weights, n = table.n](const std::vector<char>& left_out) {
    std::vector<double> known(weights.begin(), weights.end());
    known.resize(n, 1);
    for (std::size_t i = 0; i < n; ++i) known[i] = left_out[i] ? 0 : known[i];
    return project(known).Z;
  };
  names_.features.clear();
  names_.columns.clear();
  const TableView Z{projected_.Z.data(), table.n, static_cast<std::size_t>(projected_.Z.cols())};
  if (Z.d == 0) throw data_error("all entries of the sparse table are zero");
  take_checked(Z, labels, weights);
  if (all_) table_without_ = nullptr;
}

}  // namespace induce::detail
