// Summary of a finished fit, for the terminal and for JSON.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <induce/metrics.hpp>
#include <induce/model.hpp>
#include <induce/options.hpp>
#include <induce/report.hpp>

#include "calibration.hpp"
#include "describe/values.hpp"
#include "read/dataset.hpp"

namespace induce::cli {

struct FitSummary {
  const Report& report;
  const Model& model;
  const Options& options;
  std::string train_file;
  std::string test_file;  // empty: no test file
  double holdout = 0;     // 0: no rows were held out
  std::string model_file;
  std::string weight;  // the column as given; empty: none
  bool balanced = false;
  std::vector<std::size_t> class_rows;        // training rows of each class
  std::vector<double> class_weights;          // the sums of their weights
  const std::vector<ColumnSummary>& columns;  // of DATA, without label, weight and id; empty for LIBSVM
  std::size_t rows_with_gaps = 0, rows_without_label = 0;
  Metrics train;
  std::optional<Metrics> test;
  std::optional<Calibration> calibration;
};

struct Relevance {
  std::string feature;
  double inverse_lengthscale = 0;
};

// Features and their inverse length-scales, most relevant first.
std::vector<Relevance> sorted_relevance(const std::vector<double>& relevance, const Names& names);

}  // namespace induce::cli
