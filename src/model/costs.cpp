#include <induce/costs.hpp>

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include <induce/error.hpp>

#include "text/compose.hpp"

namespace induce {
namespace {

using Json = nlohmann::json;

std::size_t class_of(const std::string& name, const std::vector<std::string>& classes) {
  const auto found = std::find(classes.begin(), classes.end(), name);
  if (found != classes.end()) return static_cast<std::size_t>(found - classes.begin());
  constexpr std::size_t shown = 10;
  const std::vector<std::string> some(
      classes.begin(), classes.begin() + static_cast<std::ptrdiff_t>(std::min(shown, classes.size())));
  throw usage_error("costs: '" + name + "' is not a class of the model, which has " + detail::joined(some) +
                    (classes.size() > shown ? ", ..." : ""));
}

}  // namespace

Costs costs_from_json(const std::string& json, const std::vector<std::string>& classes) {
  const Json given = Json::parse(json, nullptr, false);
  if (!given.is_object())
    throw usage_error(
        "costs: must be a JSON object by true and by predicted class, such as "
        "{\"fraud\": {\"ok\": 100}, \"ok\": {\"fraud\": 4}}");
  const std::size_t C = classes.size();
  Costs costs(C * C, 1);
  for (std::size_t c = 0; c < C; ++c) costs[c * C + c] = 0;
  for (const auto& [truth, row] : given.items()) {
    const std::size_t c = class_of(truth, classes);
    if (!row.is_object())
      throw usage_error("costs of class '" + truth + "': must be an object by predicted class");
    for (const auto& [predicted, cost] : row.items()) {
      const std::size_t k = class_of(predicted, classes);
      if (!cost.is_number() || !std::isfinite(cost.get<double>()))
        throw usage_error("costs: " + cost.dump() + " for '" + truth + "' predicted as '" + predicted +
                          "': must be a finite number");
      costs[c * C + k] = cost.get<double>();
    }
  }
  return costs;
}

std::vector<double> expected_costs(std::span<const double> probability, std::size_t classes,
                                   const Costs& costs) {
  if (costs.size() != classes * classes ||
      !std::all_of(costs.begin(), costs.end(), [](double cost) { return std::isfinite(cost); }))
    throw data_error("costs: there are " + std::to_string(costs.size()) + " numbers: must be " +
                     std::to_string(classes) + " x " + std::to_string(classes) + " finite ones");
  std::vector<double> expected(probability.size(), 0);
  for (std::size_t first = 0; first + classes <= probability.size(); first += classes)
    for (std::size_t c = 0; c < classes; ++c)
      for (std::size_t k = 0; k < classes; ++k)
        expected[first + k] += probability[first + c] * costs[c * classes + k];
  return expected;
}

std::vector<int> least_costly(std::span<const double> probability, std::size_t classes, const Costs& costs) {
  const std::vector<double> expected = expected_costs(probability, classes, costs);
  std::vector<int> chosen;
  for (auto row = expected.begin(); row != expected.end(); row += static_cast<std::ptrdiff_t>(classes))
    chosen.push_back(
        static_cast<int>(std::min_element(row, row + static_cast<std::ptrdiff_t>(classes)) - row));
  return chosen;
}

// With p the probability of class 1 and c_yk the cost of label k for class y, label 1 costs less than label 0 if
// p (c_10 - c_11) > (1 - p) (c_01 - c_00).
std::optional<double> threshold_of_costs(const Costs& costs) {
  if (costs.size() != 4)
    throw data_error("costs: there are " + std::to_string(costs.size()) + " numbers: must be 2 x 2");
  const double wrong_second = costs[1] - costs[0], wrong_first = costs[2] - costs[3];
  if (!(wrong_first > 0 && wrong_second > 0)) return std::nullopt;
  return wrong_second / (wrong_second + wrong_first);
}

}  // namespace induce
