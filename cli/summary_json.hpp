// The JSON that `--json` and `--trace` write. Its keys are a contract: scripts read them. A number that
// is not finite becomes null.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <induce/model.hpp>
#include <induce/options.hpp>
#include <induce/report.hpp>

#include <induce/metrics.hpp>

namespace induce::cli {

struct FitSummary {
  const Report& report;
  const Model& model;
  const Options& options;
  std::string train_file;
  std::string test_file;  // empty: no test file
  double holdout = 0;     // 0: no rows were held out
  std::string model_file;
  Metrics train;
  std::optional<Metrics> test;
};

std::string summary_json(const FitSummary& summary);
std::string trace_line(const Progress& progress, const std::optional<Metrics>& test);
std::string metrics_json(const Metrics& metrics, const std::string& model_file, const std::string& data_file);

}  // namespace induce::cli
