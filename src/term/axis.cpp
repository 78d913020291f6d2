#include "term/axis.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/blas.hpp"

namespace induce::detail {
namespace {

constexpr double nugget = 1e-6;  // relative: large compared to rounding, small compared to what rows can tell

}  // namespace

double Axis::position(const double* x) const {
  for (Index f = first, level = 0; f < first + count; ++f) {
    if (f == value) continue;
    if (x[f] > 0.5) return static_cast<double>(level);
    ++level;
  }
  const auto base = static_cast<double>(levels());
  if (knots.empty()) return 0;
  const double number = x[value];
  // The first knot above it, by steps without a branch that could be mispredicted.
  const double* above = knots.data();
  for (std::size_t left = knots.size(); left > 0; left -= (left + 1) / 2)
    above += number < above[left / 2] ? 0 : (left + 1) / 2;
  const auto place = static_cast<std::size_t>(above - knots.data());
  if (place == 0) return base;
  if (place == knots.size()) return base + static_cast<double>(place - 1);
  return base + static_cast<double>(place - 1) + (number - above[-1]) / (*above - above[-1]);
}

void place_knots(Axis& axis, std::vector<std::pair<double, double>> number, Index most) {
  std::sort(number.begin(), number.end());
  // Distinct values, each with the weight of its rows.
  std::size_t distinct = 0;
  double total = 0;
  for (const auto& [x, weight] : number) {
    total += weight;
    if (distinct > 0 && number[distinct - 1].first == x)
      number[distinct - 1].second += weight;
    else
      number[distinct++] = {x, weight};
  }
  number.resize(distinct);
  axis.knots.clear();
  axis.ranks.clear();
  const auto last = static_cast<double>(most - 1);
  double below = 0;
  for (std::size_t k = 0; k < distinct; ++k) {
    const auto [x, weight] = number[k];
    // The first value, the last one, and each in which a quantile falls.
    const bool quantile = std::floor((below + weight) / total * last) > std::floor(below / total * last);
    if (static_cast<Index>(distinct) <= most || k == 0 || k + 1 == distinct || quantile) {
      axis.knots.push_back(x);
      axis.ranks.push_back((below + weight / 2) / total);
    }
    below += weight;
  }
}

PlacedAxis::PlacedAxis(const Axis& axis, double lengthscale) {
  const Index size = axis.size(), levels = axis.levels();
  C.setIdentity(size, size);
  if (axis.has_lengthscale()) E.setZero(size, size);
  for (Index k = 0; k < static_cast<Index>(axis.knots.size()); ++k)
    for (Index l = 0; l < k; ++l) {
      const double r = std::sqrt(3.0) * std::abs(axis.ranks[k] - axis.ranks[l]) / lengthscale;
      C(levels + k, levels + l) = (1 + r) * std::exp(-r);
      E(levels + k, levels + l) = E(levels + l, levels + k) = r * r * std::exp(-r);
    }
  C.diagonal().array() += nugget;
  blas::cholesky(C);
  if (E.size() == 0) return;
  blas::solve_lower(C, E.data(), size);
  E.transposeInPlace();
  blas::solve_lower(C, E.data(), size);
}

}  // namespace induce::detail
