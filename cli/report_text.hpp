// What people read after a fit or a test: a few aligned lines.
#pragma once

#include <string>

#include "fit_summary.hpp"

namespace induce::cli {

std::string theta_text(const Theta& theta);
std::string metrics_header();
std::string metrics_row(const std::string& name, const Metrics& metrics);
std::string report_text(const FitSummary& summary);

}  // namespace induce::cli
