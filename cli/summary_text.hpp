// Text that `induce fit` and `induce eval` print.
#pragma once

#include <cstddef>
#include <string>

#include "summary.hpp"

namespace induce::cli {

std::string summary_line(const std::string& name, const std::string& text);
std::string summary_text(const FitSummary& summary);
std::string metrics_table(const Metrics& metrics);

// "length-scale" for lengthscales, "matern12 length-scale" for matern12.lengthscales.
std::string parameter_label(const Parameter& parameter);

}  // namespace induce::cli
