#include "calibration.hpp"

#include <algorithm>
#include <cmath>

namespace induce::cli {
namespace {

double rate_of(const std::vector<int>& y) {
  return static_cast<double>(std::count(y.begin(), y.end(), 1)) / static_cast<double>(y.size());
}

}  // namespace

std::optional<Calibration> calibration(const Report& report, const std::vector<int>& train_y,
                                       const std::optional<Metrics>& test, const std::vector<int>* test_y) {
  if (!test && !report.leave_one_out) return std::nullopt;
  const Metrics& metrics = test ? *test : *report.leave_one_out;
  const double rate = rate_of(train_y), found = test ? rate_of(*test_y) : rate;
  return Calibration{.on = test ? "test" : "leave-one-out",
                     .ece = metrics.ece,
                     .nll = metrics.nll,
                     .base_nll = -found * std::log(rate) - (1 - found) * std::log1p(-rate)};
}

}  // namespace induce::cli
