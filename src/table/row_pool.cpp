#include "table/row_pool.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "rows/blocks.hpp"
#include "state/random.hpp"

namespace induce {
namespace {

constexpr Index most_rows_to_draw_from = 20000;  // the order of rows is random
constexpr double of_different_size = 10, in_smallest = 0.05;
constexpr double same_row = 1e-12;    // squared distance, relative to |x|^2 + |c|^2: rounding
constexpr double farthest = 1e70;     // values beyond are clamped: every kernel is 0 there, and squares are finite

double in_units(double value, double scale) { return std::clamp(value / scale, -farthest, farthest); }

// Empty: the columns are of one size.
std::vector<double> scales_of(const SparseView& table, const WeightedRows& weighted) {
  std::vector<double> largest(table.d, 0);
  std::vector<std::size_t> entries(table.d, 0);
  std::size_t total = 0;
  for (const Index i : weighted.rows)
    for (std::int64_t k = table.row_start[i]; k < table.row_start[i + 1]; ++k) {
      if (table.value[k] == 0) continue;
      const auto f = static_cast<std::size_t>(table.column[k]);
      largest[f] = std::max(largest[f], std::abs(table.value[k]));
      ++entries[f];
      ++total;
    }
  std::vector<std::size_t> order;
  for (std::size_t f = 0; f < table.d; ++f)
    if (entries[f] > 0) order.push_back(f);
  if (order.empty()) return {};
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return largest[a] < largest[b]; });
  const auto quantile = [&](double share) {
    double below = 0;
    for (const std::size_t f : order)
      if ((below += static_cast<double>(entries[f])) >= share * static_cast<double>(total)) return largest[f];
    return largest[order.back()];
  };
  if (quantile(1 - in_smallest) <= of_different_size * quantile(in_smallest)) return {};
  for (double& scale : largest)
    if (scale == 0) scale = 1;
  return largest;
}

Index draw(const Vector& mass, Random& random) {
  double left = random.uniform() * mass.sum();
  Index last = -1;
  for (Index i = 0; i < mass.size(); ++i) {
    if (!(mass[i] > 0)) continue;
    last = i;
    left -= mass[i];
    if (left < 0) break;
  }
  return last;
}

}  // namespace

RowPool::RowPool(SparseRows rows, std::vector<double> scales)
    : rows_(std::move(rows)), scales_(std::move(scales)), norm_(static_cast<Index>(rows_.n())) {
  column_ = rows_.column;
  std::sort(column_.begin(), column_.end());
  column_.erase(std::unique(column_.begin(), column_.end()), column_.end());
  const auto place_of = [&](std::int32_t f) {
    return static_cast<std::size_t>(std::lower_bound(column_.begin(), column_.end(), f) - column_.begin());
  };
  start_.assign(column_.size() + 1, 0);
  for (const std::int32_t f : rows_.column) ++start_[place_of(f) + 1];
  std::partial_sum(start_.begin(), start_.end(), start_.begin());
  member_.resize(rows_.column.size());
  value_.resize(rows_.column.size());
  std::vector<std::int64_t> next(start_.begin(), start_.end() - 1);
  for (std::size_t p = 0; p < rows_.n(); ++p) {
    double norm = 0;
    for (std::int64_t k = rows_.row_start[p]; k < rows_.row_start[p + 1]; ++k) {
      const double x = rows_.value[static_cast<std::size_t>(k)];
      const auto at = static_cast<std::size_t>(next[place_of(rows_.column[static_cast<std::size_t>(k)])]++);
      member_[at] = static_cast<std::int32_t>(p);
      value_[at] = x;
      norm += x * x;
    }
    norm_[static_cast<Index>(p)] = norm;
  }
}

double RowPool::scaled(const SparseView& table, std::int64_t entry) const {
  return in_units(table.value[entry], scales_.empty() ? 1 : scales_[table.column[entry]]);
}

void RowPool::distances(const SparseView& table, std::size_t row, double* out) const {
  const Index P = size();
  std::fill_n(out, P, 0.0);
  double norm = 0;
  auto from = column_.begin();
  for (std::int64_t k = table.row_start[row]; k < table.row_start[row + 1]; ++k) {
    const double x = scaled(table, k);
    norm += x * x;
    from = std::lower_bound(from, column_.end(), table.column[k]);
    if (from == column_.end() || *from != table.column[k]) continue;
    const auto place = from - column_.begin();
    for (std::int64_t at = start_[place]; at < start_[place + 1]; ++at) out[member_[at]] += x * value_[at];
  }
  for (Index p = 0; p < P; ++p) {
    const double r2 = norm + norm_[p] - 2 * out[p];
    out[p] = r2 > 0 ? r2 : std::isnan(r2) ? r2 : 0;
  }
}

RowMatrix RowPool::distances(const SparseView& table, std::span<const Index> rows, Workers& workers) const {
  RowMatrix out(static_cast<Index>(rows.size()), size());
  for_each_block(Blocks::light(out.rows()), workers, [&](Index first, Index count, int /*worker*/) {
    for (Index i = first; i < first + count; ++i)
      distances(table, static_cast<std::size_t>(rows[static_cast<std::size_t>(i)]), out.row(i).data());
  });
  return out;
}

Matrix RowPool::own_distances() const {
  RowPool unscaled = *this;
  unscaled.scales_.clear();  // the rows are in the units of the model already
  Matrix out(size(), size());
  for (Index p = 0; p < size(); ++p)
    unscaled.distances(rows_.view(), static_cast<std::size_t>(p), out.col(p).data());
  return out;
}

std::vector<double> RowPool::in_units_of_user() const {
  std::vector<double> out(rows_.n() * rows_.d);
  write_dense(rows_.view(), 0, rows_.n(), out.data());
  for (std::size_t k = 0; k < out.size() && !scales_.empty(); ++k) out[k] *= scales_[k % rows_.d];
  return out;
}

RowPool RowPool::first(Index members) const {
  std::vector<std::size_t> kept(static_cast<std::size_t>(std::min(members, size())));
  std::iota(kept.begin(), kept.end(), std::size_t{0});
  return {take_rows(rows_.view(), kept), scales_};
}

RowPool RowPool::choose(const SparseView& table, const WeightedRows& weighted, Index most, bool may_scale,
                        std::uint64_t seed, Workers& workers) {
  const std::vector<double> scales = may_scale ? scales_of(table, weighted) : std::vector<double>();
  const auto x_of = [&](std::int64_t k) {
    return in_units(table.value[k], scales.empty() ? 1 : scales[table.column[k]]);
  };
  const Index n = std::min(weighted.n(), most_rows_to_draw_from);
  Vector norm(n), nearest = Vector::Constant(n, INFINITY);
  for (Index i = 0; i < n; ++i) {
    const Index row = weighted.rows[i];
    norm[i] = 0;
    for (std::int64_t k = table.row_start[row]; k < table.row_start[row + 1]; ++k) norm[i] += x_of(k) * x_of(k);
  }
  Random random(seed);
  SparseRows members;
  members.d = table.d;
  std::vector<double> center(table.d, 0);
  Vector mass = weighted.weight.head(n);
  while (static_cast<Index>(members.n()) < most) {
    const Index pick = draw(mass, random);
    if (pick < 0) break;
    const Index chosen = weighted.rows[pick];
    members.add_row(table, static_cast<std::size_t>(chosen));
    for (auto k = static_cast<std::size_t>(members.row_start[members.n() - 1]); k < members.value.size(); ++k) {
      double& x = members.value[k];
      x = in_units(x, scales.empty() ? 1 : scales[members.column[k]]);
      center[members.column[k]] = x;
    }
    for_each_block(Blocks::light(n), workers, [&](Index first, Index count, int /*worker*/) {
      for (Index i = first; i < first + count; ++i) {
        double product = 0;
        const Index row = weighted.rows[i];
        for (std::int64_t k = table.row_start[row]; k < table.row_start[row + 1]; ++k)
          product += x_of(k) * center[table.column[k]];
        const double lengths = norm[i] + norm[pick], r2 = lengths - 2 * product;
        nearest[i] = std::min(nearest[i], r2 > same_row * lengths ? r2 : 0);
        mass[i] = weighted.weight[i] * nearest[i];
      }
    });
    mass[pick] = nearest[pick] = 0;
    for (std::int64_t k = table.row_start[chosen]; k < table.row_start[chosen + 1]; ++k)
      center[table.column[k]] = 0;
  }
  return {std::move(members), scales};
}

double mean_squared_distance(const SparseView& table, const WeightedRows& weighted, const RowPool& pool) {
  const double total = weighted.weight.sum();
  std::vector<double> mean(table.d, 0);
  double norm = 0;
  for (Index i = 0; i < weighted.n(); ++i) {
    const Index row = weighted.rows[i];
    const double share = weighted.weight[i] / total;
    for (std::int64_t k = table.row_start[row]; k < table.row_start[row + 1]; ++k) {
      const auto f = static_cast<std::size_t>(table.column[k]);
      const double x = in_units(table.value[k], pool.scales().empty() ? 1 : pool.scales()[f]);
      norm += share * x * x;
      mean[f] += share * x;
    }
  }
  for (const double each : mean) norm -= each * each;
  return 2 * norm;
}

}  // namespace induce
