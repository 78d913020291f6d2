// See metrics.hpp.
#include <induce/metrics.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include <induce/error.hpp>

namespace induce {
namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

void check(std::span<const double> probability, std::span<const int> y) {
  if (probability.size() != y.size())
    throw data_error("there are " + std::to_string(probability.size()) + " probabilities for " +
                     std::to_string(y.size()) + " labels");
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (!(probability[i] >= 0 && probability[i] <= 1))
      throw data_error("probability " + std::to_string(i) + " is " + std::to_string(probability[i]) +
                       ", it must be from 0 to 1");
    if (y[i] != 0 && y[i] != 1)
      throw data_error("label " + std::to_string(i) + " is " + std::to_string(y[i]) + ", it must be 0 or 1");
  }
}

double calibration_error(std::span<const double> probability, std::span<const int> y) {
  constexpr int bins = 15;
  std::array<double, bins> gap{};  // sum of p - y over a bin
  for (std::size_t i = 0; i < y.size(); ++i)
    gap[std::min(bins - 1, static_cast<int>(probability[i] * bins))] += probability[i] - y[i];
  const double sum =
      std::accumulate(gap.begin(), gap.end(), 0.0, [](double s, double g) { return s + std::fabs(g); });
  return sum / static_cast<double>(y.size());
}

// The Mann-Whitney statistic: ranks of class 1 among all, ties sharing their middle rank.
double area_under_curve(std::span<const double> probability, std::span<const int> y) {
  std::vector<std::size_t> order(y.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return probability[a] < probability[b]; });
  double rank_sum = 0, positives = 0;
  for (std::size_t first = 0; first < order.size();) {
    std::size_t end = first;
    double ones = 0;
    for (; end < order.size() && probability[order[end]] == probability[order[first]]; ++end)
      ones += y[order[end]];
    rank_sum += ones * static_cast<double>(first + 1 + end) / 2;  // ranks first + 1 ... end
    positives += ones;
    first = end;
  }
  const double negatives = static_cast<double>(y.size()) - positives;
  if (positives == 0 || negatives == 0) return not_a_number;
  return (rank_sum - positives * (positives + 1) / 2) / (positives * negatives);
}

}  // namespace

Metrics evaluate(std::span<const double> probability, std::span<const int> y) {
  check(probability, y);
  if (y.empty()) return {0, not_a_number, not_a_number, not_a_number, not_a_number, not_a_number};
  constexpr double smallest = 1e-15;
  double right = 0, loss = 0, squares = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double p = probability[i];
    right += (p > 0.5) == (y[i] == 1) ? 1 : 0;
    const double clipped = std::clamp(p, smallest, 1 - smallest);
    loss -= y[i] == 1 ? std::log(clipped) : std::log1p(-clipped);
    squares += (p - y[i]) * (p - y[i]);
  }
  const double n = static_cast<double>(y.size());
  return {y.size(),
          right / n,
          loss / n,
          squares / n,
          calibration_error(probability, y),
          area_under_curve(probability, y)};
}

}  // namespace induce
