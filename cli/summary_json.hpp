// The JSON output of `--json` and `--trace`. The keys are a stable interface for scripts. Numbers that are not
// finite become null.
#pragma once

#include <string>

#include "summary.hpp"

namespace induce::cli {

// A record that describe() knows: FitSummary, Evaluation, Explained or Model. `names`: of the model.
template <class Record>
std::string json_text(const Record& record, const Names& names);
// On one line.
std::string trace_line(const TraceLine& line);
// What was asked of the fit, for whoever repeats it: the options that decide the result and are not their defaults.
std::string options_note(const Options& options);

}  // namespace induce::cli
