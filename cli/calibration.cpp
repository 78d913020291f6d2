#include "calibration.hpp"

#include "data.hpp"
#include "model/base_rate.hpp"

namespace induce::cli {

std::optional<Calibration> calibration(const Report& report, const std::vector<double>& class_weights,
                                       const std::optional<Metrics>& test,
                                       const std::optional<Dataset>& test_rows) {
  if (!test && !report.leave_one_out) return std::nullopt;
  const bool folds = !test && report.cross_validation;
  const Metrics& metrics = test ? *test : folds ? *report.cross_validation : *report.leave_one_out;
  return Calibration{
      .on = test    ? "test"
            : folds ? "cross-validation"
                    : "leave-one-out",
      .ece = metrics.ece,
      .nll = metrics.nll,
      .base_nll = base_rate_nll(class_weights, test_rows ? cli::class_weights(*test_rows) : class_weights)};
}

}  // namespace induce::cli
