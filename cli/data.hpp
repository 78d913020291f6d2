// From file arguments to tables: read options, held-out rows and row weights.
#pragma once

#include <array>
#include <cstdint>
#include <utility>

#include <induce/model.hpp>

#include "arguments.hpp"
#include "io/dataset.hpp"
#include <induce/metrics.hpp>
#include "io/read_options.hpp"

namespace induce::cli {

ReadOptions read_options(const DataArguments& arguments, int threads);

// Makes `options` require known classes, features and label column, and ignore the weight column.
void expect(ReadOptions& options, const Names& names, std::size_t features);

// Returns {train, test}. `fraction` of the rows of each class, drawn with `seed`, go to test. Keeps the row order.
std::pair<Dataset, Dataset> hold_out(const Dataset& all, double fraction, std::uint64_t seed);

// The sum of weights of each class.
std::vector<double> class_weights(const Dataset& data);

// Multiplies weights by total / (2 * sum of the class): both classes get equal weight and the total is unchanged.
void balance(Dataset& data);

// Weighted if `data` has weights.
Metrics evaluate_on(const Model& model, const Dataset& data, int threads);

}  // namespace induce::cli
