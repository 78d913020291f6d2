// A report for people: one HTML page about a model that needs no network, no other file and no knowledge of statistics.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <induce/api.hpp>
#include <induce/costs.hpp>
#include <induce/metrics.hpp>
#include <induce/model.hpp>
#include <induce/report.hpp>
#include <induce/table.hpp>

namespace induce {

// What is known about the fit besides the model. Members without a value are not shown.
struct FitFacts {
  struct Choice {
    std::string what, chosen;
    std::vector<std::string> others;
    std::size_t held_out = 0;  // rows of the training table that decided it; 0: the bound did
    std::string reason{};
  };
  std::optional<std::size_t> rows{};
  std::vector<std::size_t> class_counts{};  // of the training rows; empty, or one per class
  std::vector<double> class_weights{};      // the same as sums of weights, for the base rate
  std::optional<double> seconds{};
  std::string status{};
  std::vector<Choice> choices{};
  std::optional<Metrics> leave_one_out{}, cross_validation{};  // of the training rows
  std::string held_out_by = "rows";                            // see Report
  bool class_weights_given = false;                            // they shifted the model, not these metrics
};

// From the report of a fit and the labels it had, if the page should know how many rows each class has.
INDUCE_API FitFacts fit_facts(const Report& report, const Model& model, std::span<const int> labels = {},
                              std::span<const double> weights = {});

// From the JSON of `induce fit --json` or of Python's report_. Throws an Error if it is something else, or of another model.
INDUCE_API FitFacts fit_facts(const std::string& json, const Model& model);

// Rows with labels, for the parts of the page about quality. Views and spans are the caller's.
struct PageRows {
  TableView X{};
  std::optional<SparseView> sparse{};  // in place of X
  std::span<const int> y{};            // indices of classes, one per row
  std::string source{};                // the name of a file, or empty
  bool held_out = false;               // not used for training, nor for any choice
  bool values = false;                 // show the values of the most surprising rows
  Costs costs{};                       // of decisions; empty: the page says nothing about them
};

inline constexpr std::size_t largest_page = 1'500'000;  // bytes

// The page: at most largest_page bytes, the same bytes for the same arguments, and no row of `rows` unless rows.values. It
// computes predictions itself (the part "What if"), equal to Model::predict to 1e-9, if the model fits into it; docs/report.md
// says when. Without rows it has no quality. Throws an Error if there is not one valid label for each row, or as
// Model::predict does.
INDUCE_API std::string html_page(const Model& model, const PageRows& rows = {}, const FitFacts& fit = {},
                                 int threads = 0);

}  // namespace induce
