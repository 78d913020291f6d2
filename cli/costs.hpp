// Costs of decisions: the argument --cost, and what `induce eval` says about it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include <induce/costs.hpp>
#include <induce/model.hpp>

namespace induce::cli {

// Adds --cost.
void add_cost(CLI::App& parser, std::string& given, const std::string& help);
// `given` is a file or JSON itself; none if it is empty.
std::optional<Costs> read_costs(const std::string& given, const Model& model);

// What the decisions on labelled rows cost. All costs are per row.
struct CostEvaluation {
  double cost = 0;           // of the labels of least expected cost
  double expected = 0;       // what the probabilities say it would be
  double most_probable = 0;  // of the most probable labels
  double one_label = 0;      // of the one label that costs least if all rows get it
  std::string label;         // this label

  // Two classes: labels by a threshold of the probability of the second.
  struct AtThreshold {
    double threshold = 0, share = 0, cost = 0;  // share: of rows that get the second label
  };
  std::vector<AtThreshold> thresholds;
  std::optional<double> own_threshold;  // at which both labels have the same expected cost
};

CostEvaluation evaluate_costs(const Costs& costs, const Model& model, std::span<const double> probability,
                              std::span<const int> y, std::span<const double> weights = {});
std::string cost_text(const CostEvaluation& found, const Model& model);

template <class Visit>
void describe(const CostEvaluation::AtThreshold& at, Visit&& visit) {
  visit({"threshold", "", "rows with at least this probability of the second class get its label"},
        at.threshold);
  visit({"share", "", "of rows that get the second label"}, at.share);
  visit({"cost", "", "per row"}, at.cost);
}

template <class Visit>
void describe(const CostEvaluation& costs, Visit&& visit) {
  visit({"cost", "", "per row, of the labels of least expected cost"}, costs.cost);
  visit({"expected", "", "what the probabilities say this would be"}, costs.expected);
  visit({"most_probable", "", "per row, of the most probable labels"}, costs.most_probable);
  visit({"one_label", "", "per row, if all rows get the one label that costs least then"}, costs.one_label);
  visit({"label", "", "this label"}, costs.label);
  visit({"own_threshold", "", "two classes: where both labels have the same expected cost; else null"},
        costs.own_threshold);
  visit({"thresholds", "", "two classes: the cost at thresholds"}, costs.thresholds);
}

}  // namespace induce::cli
