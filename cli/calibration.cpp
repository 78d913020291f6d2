#include "calibration.hpp"

#include <cmath>
#include <numeric>
#include <vector>

#include "data.hpp"

namespace induce::cli {
namespace {

// The weighted share of each class.
std::vector<double> rates_of(const Dataset& rows) {
  std::vector<double> rates = class_weights(rows);
  const double total = std::accumulate(rates.begin(), rates.end(), 0.0);
  for (double& rate : rates) rate /= total;
  return rates;
}

// NLL on rows with rates `found` of predicting the rates of training.
double nll_of_rates(const std::vector<double>& found, const std::vector<double>& training) {
  double nll = 0;
  for (std::size_t c = 0; c < found.size(); ++c)
    if (found[c] > 0) nll -= found[c] * std::log(training[c]);
  return nll;
}

}  // namespace

std::optional<Calibration> calibration(const Report& report, const Dataset& train_rows,
                                       const std::optional<Metrics>& test,
                                       const std::optional<Dataset>& test_rows) {
  if (!test && !report.leave_one_out) return std::nullopt;
  const bool folds = !test && report.cross_validation;
  const Metrics& metrics = test ? *test : folds ? *report.cross_validation : *report.leave_one_out;
  const std::vector<double> rates = rates_of(train_rows);
  return Calibration{.on = test    ? "test"
                           : folds ? "cross-validation"
                                   : "leave-one-out",
                     .ece = metrics.ece,
                     .nll = metrics.nll,
                     .base_nll = nll_of_rates(test_rows ? rates_of(*test_rows) : rates, rates)};
}

}  // namespace induce::cli
