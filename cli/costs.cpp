#include "costs.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

#include <induce/error.hpp>
#include <induce/metrics.hpp>

#include "arguments.hpp"
#include "model/state.hpp"
#include "notice.hpp"
#include "text/format.hpp"

namespace induce::cli {
namespace {

constexpr double kThresholds[] = {0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95};

// Rows with what they count.
struct Rows {
  std::span<const int> y;
  std::span<const double> weights;  // empty: all 1

  // The mean of value(i) over rows.
  template <class Value>
  double mean(const Value& value) const {
    double sum = 0, total = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
      const double weight = weights.empty() ? 1 : weights[i];
      sum += weight * value(i);
      total += weight;
    }
    return sum / total;
  }
};

double cost_of(const Costs& costs, std::size_t classes, std::span<const int> labels, const Rows& rows) {
  return rows.mean([&](std::size_t i) {
    return costs[static_cast<std::size_t>(rows.y[i]) * classes + static_cast<std::size_t>(labels[i])];
  });
}

CostEvaluation::AtThreshold at_threshold(double threshold, const Costs& costs,
                                         std::span<const double> probability, const Rows& rows) {
  std::vector<int> labels;
  for (std::size_t i = 0; i < rows.y.size(); ++i) labels.push_back(probability[2 * i + 1] > threshold);
  return {threshold, rows.mean([&](std::size_t i) { return labels[i]; }), cost_of(costs, 2, labels, rows)};
}

}  // namespace

void add_cost(CLI::App& parser, std::string& given, const std::string& help) {
  add_option(parser, group::output, "--cost", "FILE|JSON", given,
             "What decisions cost, as JSON or a file with it, by true and then by predicted class: "
             "'{\"fraud\": {\"ok\": 100}, \"ok\": {\"fraud\": 4}}'. What is not given costs 0 if it is right "
             "and 1 if it is wrong. " +
                 help)
      ->check(accepts("JSON or a file", [](const std::string& text) { return !text.empty(); }));
}

std::optional<Costs> read_costs(const std::string& given, const Model& model) {
  if (given.empty()) return std::nullopt;
  std::string json = given;
  if (given.find('{') == std::string::npos) {
    if (std::error_code error; !std::filesystem::exists(given, error))
      throw usage_error("--cost: '" + given + "' is neither JSON nor a file that can be read");
    std::ifstream file(given, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    if (!file || !text) throw data_error("--cost: '" + given + "' cannot be read");
    json = text.str();
  }
  if (!state_of(model).learned.class_weights.empty())
    warn(
        "--cost: the model has class weights (--balanced), which make rare classes frequent: costs then "
        "count "
        "rarity twice; use a model without them");
  try {
    return costs_from_json(json, model.names().classes);
  } catch (const Error& error) {
    throw usage_error("--cost: " + std::string(error.what()));
  }
}

CostEvaluation evaluate_costs(const Costs& costs, const Model& model, std::span<const double> probability,
                              std::span<const int> y, std::span<const double> weights) {
  const Rows rows{y, weights};
  const std::size_t classes = model.classes();
  CostEvaluation found;
  if (y.empty()) return found;
  const std::vector<int> labels = least_costly(probability, classes, costs);
  const std::vector<double> expected = expected_costs(probability, classes, costs);
  found.expected =
      rows.mean([&](std::size_t i) { return expected[i * classes + static_cast<std::size_t>(labels[i])]; });
  found.cost = cost_of(costs, classes, labels, rows);
  found.most_probable = cost_of(costs, classes, induce::most_probable(probability, classes), rows);
  for (std::size_t k = 0; k < classes; ++k) {
    const double cost = cost_of(costs, classes, std::vector<int>(y.size(), static_cast<int>(k)), rows);
    if (k > 0 && cost >= found.one_label) continue;
    found.one_label = cost;
    found.label = model.names().classes[k];
  }
  if (classes > 2) return found;
  std::vector<double> thresholds(std::begin(kThresholds), std::end(kThresholds));
  found.own_threshold = threshold_of_costs(costs);
  if (found.own_threshold) thresholds.push_back(*found.own_threshold);
  std::sort(thresholds.begin(), thresholds.end());
  thresholds.erase(std::unique(thresholds.begin(), thresholds.end()), thresholds.end());
  for (const double threshold : thresholds)
    found.thresholds.push_back(at_threshold(threshold, costs, probability, rows));
  return found;
}

std::string cost_text(const CostEvaluation& found, const Model& model) {
  std::string text = "cost per row " + readable(found.cost, 4) + " (expected " + readable(found.expected, 4) +
                     "), of the most probable labels " + readable(found.most_probable, 4) + ", always '" +
                     found.label + "' " + readable(found.one_label, 4) + "\n";
  if (found.thresholds.empty()) return text;
  text += pad_left("threshold", 10) + pad_left("share", 10) + pad_left("cost", 10) + "   label '" +
          model.names().classes[1] + "' where its probability is at least the threshold\n";
  for (const auto& [threshold, share, cost] : found.thresholds)
    text += pad_left(fixed(threshold, 4), 10) + pad_left(fixed(share, 4), 10) +
            pad_left(readable(cost, 4), 10) +
            (threshold == found.own_threshold ? "   that of the costs" : "") + "\n";
  return text;
}

}  // namespace induce::cli
