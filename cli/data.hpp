// From file arguments to tables: read options, held-out rows and row weights.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include <induce/model.hpp>

#include "arguments.hpp"
#include "row_groups.hpp"
#include "read/dataset.hpp"
#include <induce/metrics.hpp>
#include "read/read_options.hpp"

namespace induce::cli {

ReadOptions read_options(const DataArguments& arguments, int threads);

// Makes `options` require known classes, features with their kinds and label column, and ignore the weight column.
void expect(ReadOptions& options, const Names& names, std::size_t features);

// On standard error.
void show_warnings(const Dataset& data);
// Rows with gaps that the model has not learned to judge.
void warn_of_new_gaps(std::size_t rows);
// Values far outside those of the training data, summed over parts of the rows.
void add_rows_outside(std::vector<RowsOutside>& sum, const std::vector<RowsOutside>& rows);
void warn_of_far_values(const Model& model, const std::vector<RowsOutside>& rows);

// Returns {train, test}. Both describe the columns of the whole table. `fraction` of the rows of each class, drawn with `seed`, go
// to test, or whole groups with about this fraction of the rows; then `groups` becomes that of train. Keeps the row order.
std::pair<Dataset, Dataset> hold_out(const Dataset& all, double fraction, std::uint64_t seed,
                                     RowGroups& groups);

// A table whose labels are counts or shares as one with classes: see fit/trials.hpp. Any other as it is.
Dataset with_classes(Dataset data);

// The number of rows of each class.
std::vector<std::size_t> class_rows(const Dataset& data);

// The sum of weights of each class, whatever the order of the rows.
std::vector<double> class_weights(const Dataset& data);

// total / (C * sum of the class): times these, all C classes have equal weight. The factor of a class without weight is 1;
// fit() reports the error.
std::vector<double> balancing_factors(const std::vector<double>& class_weights);

Prediction predict_data(const Model& model, const Dataset& data, int threads);

// Weighted if `data` has weights.
Metrics evaluate_on(const Model& model, const Dataset& data, int threads);

}  // namespace induce::cli
