#include "train/grow_terms.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>

#include <induce/error.hpp>

#include "core/pass.hpp"
#include "train/policy.hpp"
#include "train/row_sums.hpp"

namespace induce::detail {
namespace {

constexpr std::array<Index, 7> resolutions{fewest_knots_of_pair, fewest_knots_of_main, 32, 64, 128, 256, 512};
constexpr std::size_t first_of_main = 1;
using CellsOfRows = std::vector<std::uint16_t>;
using Gains = std::array<double, resolutions.size()>;
using Resolution = std::array<std::size_t, 2>;  // of a pair: indices of resolutions

// What one of so many may gain without an effect.
double largest_by_chance(Index tried) { return std::log(static_cast<double>(std::max<Index>(tried, 1))); }

Index rows_to_look_at(const RowMatrix& X) { return std::min(X.rows(), policy::most_rows_to_look_at); }

// The cells of rows in all columns, at every resolution.
class Cells {
 public:
  Cells(const FeatureMap& map, const RowMatrix& X, const Vector& weight, Workers& workers)
      : n_(rows_to_look_at(X)),
        levels_(static_cast<std::size_t>(map.columns())),
        knots_(levels_.size()),
        finest_(levels_.size()) {
    const RowMatrix sample = X.topRows(n_);
    const Vector own_weight = weight.head(n_);
    workers.run(map.columns(), [&](Index column, int /*worker*/) {
      const Axis axis = make_axis(map, column, sample, own_weight, resolutions.back());
      levels_[column] = axis.levels();
      knots_[column] = static_cast<Index>(axis.knots.size());
      finest_[column].resize(static_cast<std::size_t>(n_));
      for (Index i = 0; i < n_; ++i)
        finest_[column][i] = static_cast<std::uint16_t>(std::lround(axis.position(&sample(i, 0))));
    });
  }

  Index rows() const { return n_; }
  Index columns() const { return static_cast<Index>(levels_.size()); }
  Index size(Index column, Index knots) const { return levels_[column] + std::min(knots, knots_[column]); }
  // Whether more knots than these are the same.
  bool all_distinct(Index column, Index knots) const { return knots >= knots_[column]; }
  CellsOfRows at(Index column, std::size_t resolution) const {
    CellsOfRows cells = finest_[column];
    const Index levels = levels_[column], knots = knots_[column];
    if (all_distinct(column, resolutions[resolution])) return cells;
    for (std::uint16_t& cell : cells)
      if (cell >= levels)
        cell = static_cast<std::uint16_t>(levels + (cell - levels) * resolutions[resolution] / knots);
    return cells;
  }

 private:
  Index n_;
  std::vector<Index> levels_, knots_;  // of each column
  std::vector<CellsOfRows> finest_;    // by column
};

// `cell_of(i)`: of row i, below `size`.
template <class CellOf>
double gain_of_cells(const Slopes& slopes, Index rows, Index size, const CellOf& cell_of) {
  double gain = 0;
  Vector a(size), b(size);
  for (Index c = 0; c < slopes.functions; ++c) {
    a.setZero();
    b.setZero();
    for (Index i = 0; i < rows; ++i) {
      const Index at = cell_of(i);
      a[at] += slopes.g[i * slopes.functions + c];
      b[at] += slopes.w[i * slopes.functions + c];
    }
    gain += (a.array().square() / (b.array() + policy::cell_precision)).sum() / 2 -
            (b.array() / policy::cell_precision).log1p().sum() / 2;
  }
  return gain;
}

class TermGrowth {
 public:
  TermGrowth(TermList& list, const FeatureMap& map, const RowMatrix& X, const Vector& weight,
             const Slopes& slopes, const TermWorth& worth, Workers& workers)
      : list_(list),
        slopes_(slopes),
        worth_(worth),
        workers_(workers),
        cells_(map, X, weight, workers),
        most_(most_term_values(X.rows(), slopes.functions)),
        own_gain_(static_cast<std::size_t>(cells_.columns())) {
    workers.run(cells_.columns(), [&](Index column, int /*worker*/) {
      own_gain_[column].fill(0);
      for (std::size_t r = 0; has_axis(column) && r < resolutions.size(); ++r) {
        if (r > 0 && cells_.all_distinct(column, resolutions[r - 1])) {
          own_gain_[column][r] = own_gain_[column][r - 1];
          continue;
        }
        const CellsOfRows cells = cells_.at(column, r);
        own_gain_[column][r] = gain_of_cells(slopes_, cells_.rows(), cells_.size(column, resolutions[r]),
                                             [&](Index i) { return cells[i]; });
      }
    });
  }

  // New mains and finer ones; half of the values are left to pairs.
  void grow_mains() {
    for (const Index column : by_gain()) {
      const bool is_new = !list_.has_main(column);
      if (is_new && !list_.find_mains) continue;
      const Index knots = best_knots(column);
      if (knots == 0) continue;
      list_.knots[column] = knots;
      if (is_new) list_.mains.push_back(column);
    }
    std::sort(list_.mains.begin(), list_.mains.end());
  }

  // A kernel of terms alone has one at least.
  void take_one() {
    const auto varies = [&](Index column) { return has_axis(column); };
    if (!list_.joint.empty() || std::any_of(list_.mains.begin(), list_.mains.end(), varies) ||
        std::any_of(list_.pairs.begin(), list_.pairs.end(),
                    [&](const auto& pair) { return varies(pair.first) && varies(pair.second); }))
      return;
    const std::vector<Index> columns = by_gain();
    if (columns.empty()) throw data_error("no column has two values in the rows of the first stage");
    list_.mains.push_back(columns.front());
    list_.knots[columns.front()] = resolutions[first_of_main];
    std::sort(list_.mains.begin(), list_.mains.end());
  }

  void grow_pairs() {
    std::vector<FoundPair> found = find_pairs();
    std::stable_sort(found.begin(), found.end(),
                     [](const FoundPair& a, const FoundPair& b) { return a.gain > b.gain; });
    for (const FoundPair& each : found) {
      const bool is_new = !list_.has_pair(each.first, each.second);
      TermList longer = list_;
      const auto refine = [&](Index column, std::size_t r) {
        if (named_knots(list_.named_pair_knots, column) == 0)
          longer.pair_knots[column] = std::max(longer.pair_knots[column], resolutions[r]);
      };
      refine(each.first, each.resolution[0]);
      refine(each.second, each.resolution[1]);
      if (is_new) longer.pairs.emplace_back(each.first, each.second);
      const TermSize now = size(list_), then = size(longer);
      const double chance = is_new ? largest_by_chance(pairs_tried_) : 0;
      if (then.values <= most_ && each.gain > chance + price(now, then)) list_ = std::move(longer);
    }
    std::sort(list_.pairs.begin(), list_.pairs.end());
    for (const auto& [first, second] : list_.pairs)
      for (const Index column : {first, second}) {  // of pairs that were named
        const Index named = named_knots(list_.named_pair_knots, column);
        list_.pair_knots[column] = named > 0 ? named : std::max(list_.pair_knots[column], resolutions[0]);
      }
  }

 private:
  struct FoundPair {
    double gain;
    Index first, second;
    Resolution resolution;
  };

  // Of lists that need no names; 0: none.
  static Index named_knots(const std::vector<Index>& of, Index column) { return of.empty() ? 0 : of[column]; }
  bool has_axis(Index column) const { return cells_.size(column, 2) > 1; }
  double largest_gain(Index column) const {
    return *std::max_element(own_gain_[column].begin() + first_of_main, own_gain_[column].end());
  }
  std::vector<Index> by_gain() const {
    std::vector<Index> columns(static_cast<std::size_t>(cells_.columns()));
    std::iota(columns.begin(), columns.end(), Index{0});
    std::erase_if(columns, [&](Index column) { return !has_axis(column); });
    std::stable_sort(columns.begin(), columns.end(),
                     [&](Index a, Index b) { return largest_gain(a) > largest_gain(b); });
    return columns;
  }
  TermSize size(const TermList& list) const {
    TermSize sum;
    for (const Index column : list.mains) sum = sum + TermSize(cells_.size(column, list.knots[column]), 2);
    for (const auto& [first, second] : list.pairs)
      sum = sum + size_of_pair(first, second, list.pair_knots[first], list.pair_knots[second]);
    return sum;
  }
  TermSize size_of_pair(Index first, Index second, Index knots, Index other_knots) const {
    return {cells_.size(first, knots) * cells_.size(second, other_knots), 4};
  }
  double price(const TermSize& now, const TermSize& then) const { return worth_.price(now, then - now); }

  // Of a main effect; 0: nothing is gained, or there is no room.
  Index best_knots(Index column) const {
    if (const Index named = named_knots(list_.named_knots, column)) return named;
    const bool known = list_.has_main(column);
    const Index now = known ? list_.knots[column] : 0;
    TermList mains = list_;
    mains.pairs.clear();
    const TermSize before = size(mains);
    if (!known) mains.mains.push_back(column);
    Index best = known && now == 0 ? resolutions[first_of_main] : 0;
    double most_left = known ? 0 : largest_by_chance(cells_.columns());  // gain less price
    for (std::size_t r = first_of_main; r < resolutions.size(); ++r) {
      if (resolutions[r] <= now) continue;
      mains.knots[column] = resolutions[r];
      if (2 * size(mains).values > most_) break;
      const double left = own_gain_[column][r] - worth_.price(size(list_), size(mains) - before);
      if (left > most_left) {
        most_left = left;
        best = resolutions[r];
      }
      if (cells_.all_distinct(column, resolutions[r])) break;
    }
    return best;
  }

  std::vector<FoundPair> find_pairs() {
    std::vector<Index> columns = by_gain();
    std::stable_partition(columns.begin(), columns.end(),
                          [&](Index column) { return list_.has_main(column); });
    std::stable_partition(columns.begin(), columns.end(),
                          [&](Index column) { return list_.in_pair(column); });
    columns.resize(std::min(columns.size(), static_cast<std::size_t>(policy::most_paired)));
    std::sort(columns.begin(), columns.end());
    pairs_tried_ = static_cast<Index>(columns.size() * (columns.size() - 1) / 2);
    std::vector<std::array<CellsOfRows, resolutions.size()>> cells(columns.size());
    workers_.run(static_cast<Index>(columns.size()), [&](Index k, int /*worker*/) {
      for (std::size_t r = 0; r < resolutions.size(); ++r) cells[k][r] = cells_.at(columns[k], r);
    });
    std::vector<std::vector<FoundPair>> found(columns.size());  // by the second column
    workers_.run(static_cast<Index>(columns.size()), [&](Index second, int /*worker*/) {
      for (Index first = 0; first < second; ++first) {
        if (!list_.find_pairs && !list_.has_pair(columns[first], columns[second])) continue;
        const FoundPair pair = best_pair(columns[first], columns[second], cells[first], cells[second]);
        if (pair.gain > 0) found[second].push_back(pair);
      }
    });
    std::vector<FoundPair> all;
    for (const auto& each : found) all.insert(all.end(), each.begin(), each.end());
    return all;
  }

  // One side at a time becomes finer, while that gains. A pair that is in the list must gain by finer knots.
  template <class CellsOfColumn>
  FoundPair best_pair(Index first, Index second, const CellsOfColumn& one, const CellsOfColumn& other) const {
    const auto gain_at = [&](const Resolution& r) {
      const CellsOfRows &left = one[r[0]], &right = other[r[1]];
      const Index width = cells_.size(second, resolutions[r[1]]);
      return gain_of_cells(slopes_, cells_.rows(), cells_.size(first, resolutions[r[0]]) * width,
                           [&](Index i) { return left[i] * width + right[i]; }) -
             std::max(0.0, own_gain_[first][r[0]]) - std::max(0.0, own_gain_[second][r[1]]);
    };
    const bool known =
        list_.has_pair(first, second) && list_.pair_knots[first] > 0 && list_.pair_knots[second] > 0;
    const auto resolution_of = [&](Index column) -> std::size_t {
      const Index named = named_knots(list_.named_pair_knots, column);
      const Index knots = named > 0 ? named : known ? list_.pair_knots[column] : 0;
      return std::min<std::size_t>(
          std::lower_bound(resolutions.begin(), resolutions.end(), knots) - resolutions.begin(),
          resolutions.size() - 1);
    };
    FoundPair best{0, first, second, {resolution_of(first), resolution_of(second)}};
    const TermSize before =
        known ? size_of_pair(first, second, list_.pair_knots[first], list_.pair_knots[second]) : TermSize();
    const auto price_at = [&](const Resolution& r) {
      return worth_.price(size(list_),
                          size_of_pair(first, second, resolutions[r[0]], resolutions[r[1]]) - before);
    };
    if (!known) best.gain = gain_at(best.resolution);
    double most_left = best.gain - price_at(best.resolution);
    for (bool better = true; better;) {
      better = false;
      const Resolution from = best.resolution;
      for (const std::size_t side : {0, 1}) {
        Resolution finer = from;
        if (named_knots(list_.named_pair_knots, side == 0 ? first : second) > 0) continue;
        if (cells_.all_distinct(side == 0 ? first : second, resolutions[finer[side]]) ||
            ++finer[side] == resolutions.size() ||
            4 * cells_.size(first, resolutions[finer[0]]) * cells_.size(second, resolutions[finer[1]]) >
                most_)
          continue;
        const double gain = gain_at(finer), left = gain - price_at(finer);
        if (left <= most_left) continue;
        most_left = left;
        best.gain = gain;
        best.resolution = finer;
        better = true;
      }
    }
    return best;
  }

  TermList& list_;
  const Slopes& slopes_;
  const TermWorth& worth_;
  Workers& workers_;
  const Cells cells_;
  const Index most_;             // values
  std::vector<Gains> own_gain_;  // of each column alone
  Index pairs_tried_ = 0;
};

// At f = 0, with the thresholds of the base rates.
Slopes slopes_at_first_thresholds(const Targets& targets, const Likelihood& likelihood) {
  const Index n = targets.n();
  std::vector<double> rates(static_cast<std::size_t>(likelihood.classes()), 0);
  for (Index i = 0; i < n; ++i)
    rates[static_cast<std::size_t>(targets.y[i])] += targets.weight[i] / targets.weight.sum();
  const Vector zero = Vector::Zero(n);
  Vector value(n);
  Slopes slopes{Vector(n), Vector(n), 1};
  likelihood.given(likelihood.first_thresholds(rates))
      ->expectations(targets.y.data(), zero.data(), zero.data(), n, value.data(), slopes.g.data(),
                     slopes.w.data());
  slopes.g = slopes.g.cwiseProduct(targets.weight);
  slopes.w = -slopes.w.cwiseProduct(targets.weight);
  return slopes;
}

}  // namespace

Slopes slopes_at_base_rate(const Targets& targets, const Likelihood& likelihood) {
  const Index n = targets.n(), functions = likelihood.latent_functions();
  if (functions == 1 && likelihood.classes() > 2) return slopes_at_first_thresholds(targets, likelihood);
  const auto is_class = [&](Index i, Index c) {
    return functions == 1 ? targets.y[i] > 0 : targets.y[i] == static_cast<double>(c);
  };
  Vector rate = Vector::Zero(functions);
  for (Index i = 0; i < n; ++i)
    for (Index c = 0; c < functions; ++c) rate[c] += is_class(i, c) ? targets.weight[i] : 0;
  rate /= targets.weight.sum();
  Slopes slopes{Vector(n * functions), Vector(n * functions), functions};
  for (Index i = 0; i < n; ++i)
    for (Index c = 0; c < functions; ++c) {
      slopes.g[i * functions + c] = targets.weight[i] * ((is_class(i, c) ? 1 : 0) - rate[c]);
      slopes.w[i * functions + c] = targets.weight[i] * rate[c] * (1 - rate[c]);
    }
  return slopes;
}

Slopes slopes_at(const Fitted& model, const RowMatrix& X, const Targets& targets,
                 const Likelihood& likelihood, Workers& workers) {
  const Index n = rows_to_look_at(X), functions = likelihood.latent_functions();
  const RowMatrix sample = X.topRows(n);
  Vector mean, S2;
  Pass(sample, model.frame.m(), workers).marginals(model.frame, model.q, mean, S2);
  Sites sites(n, functions);
  const auto given = likelihood.given(model.frame.prior.thresholds);
  refresh_sites(*make_site_rule("newton", *given), {targets.y.head(n), targets.weight.head(n)}, mean, S2,
                workers, sites);
  return {sites.t - sites.w.cwiseProduct(mean), sites.w, functions};
}

Index most_term_values(Index rows, Index functions) {
  return static_cast<Index>(std::min(
      policy::most_values,
      policy::values_of_rows * std::cbrt(static_cast<double>(rows) / static_cast<double>(functions))));
}

void grow_mains(TermList& list, const FeatureMap& map, const RowMatrix& X, const Vector& weight,
                const Slopes& slopes, const TermWorth& worth, Workers& workers) {
  TermGrowth(list, map, X, weight, slopes, worth, workers).grow_mains();
}

void grow_mains_and_pairs(TermList& list, const FeatureMap& map, const RowMatrix& X, const Vector& weight,
                          const Slopes& slopes, const TermWorth& worth, Workers& workers) {
  TermGrowth growth(list, map, X, weight, slopes, worth, workers);
  growth.grow_mains();
  growth.grow_pairs();
  growth.take_one();
}

}  // namespace induce::detail
