// How far probabilities can be trusted, on rows that the model has not seen: the test rows if there are any,
// else the training rows, each predicted without itself.
#pragma once

#include <optional>
#include <string>

#include <induce/metrics.hpp>
#include <induce/report.hpp>

#include "io/dataset.hpp"

namespace induce::cli {

struct Calibration {
  std::string on;           // "test" or "leave-one-out"
  double ece = 0, nll = 0;  // see Metrics
  double base_nll = 0;  // of the training rows' base rate, on the same rows: what knowing no feature costs
};

// Nothing if there is neither a test nor a leave-one-out.
std::optional<Calibration> calibration(const Report& report, const Dataset& train_rows,
                                       const std::optional<Metrics>& test,
                                       const std::optional<Dataset>& test_rows);

}  // namespace induce::cli
