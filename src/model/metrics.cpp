// See metrics.hpp.
#include <induce/metrics.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include <induce/error.hpp>

#include "rows/reducer.hpp"
#include "text/words.hpp"

namespace induce {
namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

void check(std::span<const double> probability, std::span<const int> y, std::span<const double> weight) {
  if (!weight.empty() && weight.size() != y.size())
    throw data_error("there are " + std::to_string(weight.size()) + " weights for " +
                     std::to_string(y.size()) + " labels");
  if (probability.size() != y.size())
    throw data_error("there are " + std::to_string(probability.size()) + " probabilities for " +
                     std::to_string(y.size()) + " labels");
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (!(probability[i] >= 0 && probability[i] <= 1))
      throw data_error("probability " + std::to_string(i) + " is " + shortest(probability[i]) +
                       ": must be between 0 and 1");
    if (y[i] != 0 && y[i] != 1)
      throw data_error("label " + std::to_string(i) + " is " + std::to_string(y[i]) + ": must be 0 or 1");
  }
}

using Weight = std::function<double(std::size_t)>;

constexpr Index bins = 15;

// Sums over rows: weight, weight of the correct rows, -log p, squared errors, and p - y in each bin of p.
class Scores : public RowSum {
 public:
  void clear() { numbers_.setZero(4 + bins); }
  double& weight() { return numbers_[0]; }
  double& right() { return numbers_[1]; }
  double& loss() { return numbers_[2]; }
  double& squares() { return numbers_[3]; }
  double& gap(Index bin) { return numbers_[4 + bin]; }

  void add(double p, int y, double w) {
    constexpr double smallest = 1e-15;
    const double clipped = std::clamp(p, smallest, 1 - smallest);
    weight() += w;
    right() += (p > 0.5) == (y == 1) ? w : 0;
    loss() -= w * (y == 1 ? std::log(clipped) : std::log1p(-clipped));
    squares() += w * (p - y) * (p - y);
    gap(std::min(bins - 1, static_cast<Index>(p * bins))) += w * (p - y);
  }
};

// The Mann-Whitney statistic: the fraction of pairs, one row of each class, in the correct order.
double area_under_curve(std::span<const double> probability, std::span<const int> y, const Weight& weight) {
  std::vector<std::size_t> order(y.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return probability[a] < probability[b]; });
  double wins = 0, positives = 0, negatives = 0;  // wins: pairs in the correct order; ties count half
  for (std::size_t first = 0; first < order.size();) {
    std::size_t end = first;
    double ones = 0, zeros = 0;
    for (; end < order.size() && probability[order[end]] == probability[order[first]]; ++end)
      (y[order[end]] == 1 ? ones : zeros) += weight(order[end]);
    wins += ones * (negatives + zeros / 2);
    positives += ones;
    negatives += zeros;
    first = end;
  }
  if (positives == 0 || negatives == 0) return not_a_number;
  return wins / (positives * negatives);
}

}  // namespace

Metrics evaluate(std::span<const double> probability, std::span<const int> y,
                 std::span<const double> weights) {
  check(probability, y, weights);
  const Weight weight = [&](std::size_t i) { return weights.empty() ? 1.0 : weights[i]; };
  if (y.empty()) return {0, not_a_number, not_a_number, not_a_number, not_a_number, not_a_number};
  Workers one(1);
  Reducer<Scores> reducer(Blocks::light(static_cast<Index>(y.size())), one);
  Scores& scores = reducer.add_up([](Scores& sum) { sum.clear(); },
                                  [&](Index first, Index rows, int /*worker*/, Scores& sum) {
                                    for (std::size_t i = static_cast<std::size_t>(first);
                                         i < static_cast<std::size_t>(first + rows); ++i)
                                      sum.add(probability[i], y[i], weight(i));
                                  });
  const double n = scores.weight();
  double gaps = 0;
  for (Index bin = 0; bin < bins; ++bin) gaps += std::fabs(scores.gap(bin));
  return {static_cast<std::size_t>(std::llround(n)),
          scores.right() / n,
          scores.loss() / n,
          scores.squares() / n,
          gaps / n,
          area_under_curve(probability, y, weight)};
}

}  // namespace induce
