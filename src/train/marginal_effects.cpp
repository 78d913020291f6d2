#include "train/marginal_effects.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "linalg/blas.hpp"

namespace induce::detail {
namespace {

constexpr Index most_bins = 64, rows_per_bin = 30;
constexpr double lengthscales[] = {0.1, 0.2, 0.4, 0.8, 1.6, 3.2};  // of a standardised feature
constexpr double amplitudes[] = {0.15, 0.5, 1.5};                  // of the logit
constexpr std::size_t most_classes = 10;                           // the most frequent ones
constexpr double smallest_gain = 1;                                // nats
constexpr double discrete_cost = 0.15;  // of a column with few distinct values, relative to others

struct Bins {
  std::vector<double> x, residual, noise;
  bool levels = false;  // x are names: two different ones are at the distance sqrt(2)
};

// One number per row of X that tells its values in these columns apart: the value of one column, or which of several is
// not 0.
Vector codes_of(const RowMatrix& X, const std::vector<Index>& columns) {
  if (columns.size() == 1) return X.col(columns[0]);
  Vector codes = Vector::Constant(X.rows(), -1);
  for (std::size_t k = 0; k < columns.size(); ++k)
    for (Index i = 0; i < X.rows(); ++i)
      if (X(i, columns[k]) != 0) codes[i] = static_cast<double>(k);
  return codes;
}

std::vector<std::vector<Index>> columns_of_groups(Index d, const std::vector<Index>& group_of) {
  std::vector<std::vector<Index>> columns;
  for (Index f = 0; f < d; ++f) {
    const auto group = static_cast<std::size_t>(group_of.empty() ? f : group_of[f]);
    columns.resize(std::max(columns.size(), group + 1));
    columns[group].push_back(f);
  }
  return columns;
}

std::vector<Index> rows_by_value(const Vector& x) {
  std::vector<Index> by_value(x.size());
  std::iota(by_value.begin(), by_value.end(), Index{0});
  std::sort(by_value.begin(), by_value.end(),
            [&](Index a, Index b) { return x[a] < x[b] || (x[a] == x[b] && a < b); });
  return by_value;
}

// A class, and the weighted fraction of its rows.
struct OneClass {
  double label, rate;
};

// Bins of equal weight, or one for each level; rows with the same value are never separated.
Bins bins_of(const Vector& x, bool levels, const Targets& targets, const std::vector<Index>& by_value,
             const OneClass& of) {
  const double rate = of.rate;
  const double total = targets.weight.sum();
  const double size =
      levels ? 0 : total / static_cast<double>(std::clamp<Index>(x.size() / rows_per_bin, 2, most_bins));
  Bins bins;
  bins.levels = levels;
  double weight = 0, sum = 0, second = 0;
  for (std::size_t k = 0; k < by_value.size(); ++k) {
    const Index i = by_value[k];
    weight += targets.weight[i];
    sum += targets.weight[i] * x[i];
    second += targets.y[i] == of.label ? targets.weight[i] : 0;
    const bool last = k + 1 == by_value.size();
    if (!last && (weight < size || x[by_value[k + 1]] == x[i])) continue;
    if (!(weight > 0)) continue;
    bins.x.push_back(sum / weight);
    bins.residual.push_back(second / weight - rate);
    bins.noise.push_back(rate * (1 - rate) / weight);
    weight = sum = second = 0;
  }
  return bins;
}

double log_evidence(const Bins& bins, double s2, double l) {
  const Index b = static_cast<Index>(bins.x.size());
  Matrix K(b, b);
  for (Index i = 0; i < b; ++i)
    for (Index j = 0; j <= i; ++j) {
      const double distance = bins.levels ? (i == j ? 0 : std::sqrt(2.0)) : bins.x[i] - bins.x[j],
                   r = distance / l;
      K(i, j) = s2 * std::exp(-r * r / 2) + (i == j ? bins.noise[i] : 0);
    }
  if (!blas::cholesky(K)) return -INFINITY;
  Vector solved = Eigen::Map<const Vector>(bins.residual.data(), b);
  blas::solve_lower(K, solved.data(), 1);
  return -solved.squaredNorm() / 2 - K.diagonal().array().log().sum();
}

MarginalEffect effect_of(const Bins& bins, double rate) {
  MarginalEffect best{.gain = 0, .lengthscale = lengthscales[std::size(lengthscales) - 1]};
  if (bins.x.size() < 2) return best;
  const double none = log_evidence(bins, 0, 1);
  for (const double amplitude : amplitudes)
    for (const double l : lengthscales) {
      const double s = amplitude * rate * (1 - rate);
      const double gain = log_evidence(bins, s * s, l) - none;
      if (gain > best.gain) best = {gain, l};
    }
  return best;
}

bool is_discrete(const RowMatrix& X, const std::vector<Index>& columns) {
  if (columns.size() > 1) return true;
  std::set<double> values;
  for (Index i = 0; i < X.rows() && values.size() <= 16; ++i) values.insert(X(i, columns[0]));
  return values.size() <= 16;
}

}  // namespace

std::vector<MarginalEffect> marginal_effects(const RowMatrix& X, const std::vector<Index>& group_of,
                                             const Targets& targets, Index functions, Workers& workers) {
  std::vector<OneClass> classes;
  if (functions == 1) classes.push_back({1, 0});
  for (Index c = 0; functions > 1 && c < functions; ++c) classes.push_back({static_cast<double>(c), 0});
  double total = 0;
  for (Index i = 0; i < targets.n(); ++i) {
    total += targets.weight[i];
    for (OneClass& each : classes) each.rate += targets.y[i] == each.label ? targets.weight[i] : 0;
  }
  for (OneClass& each : classes) each.rate /= total;
  std::erase_if(classes, [](const OneClass& each) { return !(each.rate > 0 && each.rate < 1); });
  std::stable_sort(classes.begin(), classes.end(),
                   [](const OneClass& a, const OneClass& b) { return a.rate > b.rate; });
  if (classes.size() > most_classes) classes.resize(most_classes);

  const std::vector<std::vector<Index>> columns = columns_of_groups(X.cols(), group_of);
  std::vector<MarginalEffect> effects(columns.size());
  workers.run(static_cast<Index>(columns.size()), [&](Index g, int /*worker*/) {
    const Vector x = codes_of(X, columns[g]);
    const std::vector<Index> by_value = rows_by_value(x);
    MarginalEffect& effect = effects[static_cast<std::size_t>(g)];
    double largest = -1;
    for (const OneClass& each : classes) {
      const MarginalEffect own =
          effect_of(bins_of(x, columns[g].size() > 1, targets, by_value, each), each.rate);
      effect.gain += own.gain;
      if (own.gain > largest) {
        largest = own.gain;
        effect.lengthscale = own.lengthscale;
      }
    }
  });
  return effects;
}

std::vector<Index> columns_with_effects(const std::vector<MarginalEffect>& effects, const RowMatrix& X,
                                        const std::vector<Index>& group_of, double budget) {
  const std::vector<std::vector<Index>> members = columns_of_groups(X.cols(), group_of);
  std::vector<Index> columns;
  for (std::size_t g = 0; g < effects.size(); ++g)
    if (effects[g].gain > smallest_gain) columns.push_back(static_cast<Index>(g));
  std::stable_sort(columns.begin(), columns.end(),
                   [&](Index a, Index b) { return effects[a].gain > effects[b].gain; });
  double cost = 0;
  const auto end = std::find_if(columns.begin(), columns.end(), [&](Index g) {
    cost += is_discrete(X, members[g]) ? discrete_cost : 1;
    return cost > budget;
  });
  columns.erase(end, columns.end());
  std::sort(columns.begin(), columns.end());
  return columns;
}

}  // namespace induce::detail
