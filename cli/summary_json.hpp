// The JSON output of `--json` and `--trace`. The keys are a stable interface for scripts. Numbers that are not
// finite become null.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "confusion.hpp"
#include "fit_summary.hpp"

namespace induce::cli {

std::string summary_json(const FitSummary& summary);
// What was asked of the fit, for whoever repeats it: the options that decide the result and are not their defaults.
std::string options_note(const Options& options);
std::string trace_line(const Progress& progress, const std::optional<Metrics>& test);
std::string model_json(const Model& model);
std::string explanation_json(const Explanation& explanation, const Names& names,
                             const std::string& model_file, const std::string& data_file);
std::string metrics_json(const Metrics& metrics, const Confusion& confusion, const std::string& model_file,
                         const std::string& data_file);

}  // namespace induce::cli
