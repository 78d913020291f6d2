// Calibration on rows that the model has not seen: the test rows if there are any, otherwise the training rows
// by leave-one-out.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <induce/metrics.hpp>
#include <induce/report.hpp>

#include "internals.hpp"
#include "read/dataset.hpp"

namespace induce::cli {

struct Calibration {
  std::string on;           // "test", "cross-validation" or "leave-one-out"
  double ece = 0, nll = 0;  // see Metrics
  double base_nll = 0;      // NLL on the same rows of always predicting the class frequencies of training
};

// Empty if there are neither test nor leave-one-out metrics.
// `class_weights`: of the training rows.
std::optional<Calibration> calibration(const Report& report, const std::vector<double>& class_weights,
                                       const std::optional<Metrics>& test,
                                       const std::optional<Dataset>& test_rows);

}  // namespace induce::cli
