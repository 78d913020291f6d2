// From file arguments to tables: what a second file must agree with, and rows held out of the first.
#pragma once

#include <cstdint>
#include <utility>

#include <induce/model.hpp>

#include "arguments.hpp"
#include "data/dataset.hpp"
#include <induce/metrics.hpp>
#include "data/read_options.hpp"

namespace induce::cli {

ReadOptions read_options(const DataArguments& arguments, int threads);

// Makes `options` ask for the classes, features and label column that are known already.
void expect(ReadOptions& options, const Names& names, std::size_t features);

// {train, test}: `fraction` of the rows of each class go to test, drawn by `seed`; the order of rows stays.
std::pair<Dataset, Dataset> hold_out(const Dataset& all, double fraction, std::uint64_t seed);

Metrics evaluate_on(const Model& model, const Dataset& data, int threads);

}  // namespace induce::cli
