#include "calibration.hpp"

#include <cmath>

#include "data.hpp"

namespace induce::cli {
namespace {

// The weighted share of class 1.
double rate_of(const Dataset& rows) {
  const std::array<double, 2> count = class_weights(rows);
  return count[1] / (count[0] + count[1]);
}

}  // namespace

std::optional<Calibration> calibration(const Report& report, const Dataset& train_rows,
                                       const std::optional<Metrics>& test,
                                       const std::optional<Dataset>& test_rows) {
  if (!test && !report.leave_one_out) return std::nullopt;
  const bool folds = !test && report.cross_validation;
  const Metrics& metrics = test ? *test : folds ? *report.cross_validation : *report.leave_one_out;
  const double rate = rate_of(train_rows), found = test_rows ? rate_of(*test_rows) : rate;
  return Calibration{.on = test    ? "test"
                           : folds ? "cross-validation"
                                   : "leave-one-out",
                     .ece = metrics.ece,
                     .nll = metrics.nll,
                     .base_nll = -found * std::log(rate) - (1 - found) * std::log1p(-rate)};
}

}  // namespace induce::cli
