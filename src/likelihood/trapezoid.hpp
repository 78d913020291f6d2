// The expectation of a function of f ~ N(m, S2) that vanishes outside of [first, last], has no pole within a distance of pi of the
// real axis, and is smooth: by the trapezoid rule, exact to 1e-10.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

namespace induce::detail {

template <class Function>
double expected_between(double first, double last, double m, double S2, const Function& function) {
  constexpr double deviations = 8;
  const double s = std::sqrt(S2);
  if (s == 0) return function(m);
  double sum = 0, step = s / 2;
  const auto add = [&](double z, double f) { sum += std::exp(-z * z / 2) * function(f); };
  if (step < 1) {
    const double from = std::max(-deviations * s, first - m), to = std::min(deviations * s, last - m);
    for (double k = std::ceil(from / step); k * step <= to; ++k) add(k * step / s, m + k * step);
  } else {  // f itself counts: m may be so large that m + 1 is m
    step = 1;
    const double to = std::min(m + deviations * s, last);
    for (double f = std::max(m - deviations * s, first); f <= to; ++f) add((f - m) / s, f);
  }
  return sum * step / s / std::sqrt(2 * std::numbers::pi);
}

}  // namespace induce::detail
