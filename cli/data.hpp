// From file arguments to tables: what a second file must agree with, rows held out of the first, and what
// rows count.
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

// Makes `options` ask for the classes, features and label column that are known already, and pass over the
// weight column.
void expect(ReadOptions& options, const Names& names, std::size_t features);

// {train, test}: `fraction` of the rows of each class go to test, drawn by `seed`; the order of rows stays.
std::pair<Dataset, Dataset> hold_out(const Dataset& all, double fraction, std::uint64_t seed);

// The rows of each class, counted by their weights.
std::array<double, 2> class_weights(const Dataset& data);

// Gives the rows weights by which both classes count alike and the sum stays: times total / (2 of the class).
void balance(Dataset& data);

// Rows counted by their weights, where they have any.
Metrics evaluate_on(const Model& model, const Dataset& data, int threads);

}  // namespace induce::cli
