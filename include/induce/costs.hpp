// Decisions by what mistakes cost: the label of least expected cost instead of the most probable one.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <induce/api.hpp>

namespace induce {

// What each decision costs, row-major: for a row of class c it is costs[c * classes + k] to predict class k. Negative numbers
// are gains.
using Costs = std::vector<double>;

// From JSON such as {"fraud": {"ok": 100}, "ok": {"fraud": 4}}: by true class, then by predicted class. What is not given
// costs 0 if it is right and 1 if it is wrong. Throws a usage Error that names the class or number that is wrong.
INDUCE_API Costs costs_from_json(const std::string& json, const std::vector<std::string>& classes);

// sum_c p_c costs(c, k) of each row and class k, row-major; `probability` as in Prediction::probabilities. Throws a data
// Error unless there are classes^2 finite costs.
INDUCE_API std::vector<double> expected_costs(std::span<const double> probability, std::size_t classes,
                                              const Costs& costs);

// The class of least expected cost for each row, the first of several.
INDUCE_API std::vector<int> least_costly(std::span<const double> probability, std::size_t classes,
                                         const Costs& costs);

// Of two classes: the probability of the second one at which both labels have the same expected cost, above which the second
// costs less. None if one label is always as good. Throws a data Error unless there are 4 costs.
INDUCE_API std::optional<double> threshold_of_costs(const Costs& costs);

}  // namespace induce
