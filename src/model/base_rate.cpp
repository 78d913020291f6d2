#include "model/base_rate.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace induce::detail {

double base_rate_nll(std::span<const double> training, std::span<const double> tested) {
  constexpr double smallest = 1e-15;  // as in Metrics::nll
  const double all = std::accumulate(training.begin(), training.end(), 0.0),
               rows = std::accumulate(tested.begin(), tested.end(), 0.0);
  double nll = 0;
  for (std::size_t c = 0; c < tested.size(); ++c)
    if (tested[c] > 0) nll -= tested[c] / rows * std::log(std::max(training[c] / all, smallest));
  return nll;
}

}  // namespace induce::detail
