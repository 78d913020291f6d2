// Validation of the data. Throws a data Error that says what is wrong and where.
#pragma once

#include <span>

#include <induce/model.hpp>
#include <induce/options.hpp>
#include <induce/table.hpp>

#include "store/row_store.hpp"

namespace induce::detail {

// With names of the classes, if there are none: "0", "1", ..., as many as the labels need.
Names with_classes(Names names, std::span<const int> labels);
Names with_classes(Names names, std::size_t classes);

void check_data(TableView X, std::span<const int> y, const Names& names);
// A table that stays sparse must have no missing values.
void check_data(const SparseView& X, std::span<const int> y, const Names& names);
// What check_data looks at, as far as it is known of all rows of a large table.
void check_facts(const RowFacts& facts, std::size_t columns, const Names& names);
void check_sparse_fit(const Names& names, const Options& options);
// One number from 0 for each row, and at least two of them.
// Rows of weight 0 do not count.
void check_groups(const Groups& groups, std::size_t rows, std::span<const double> weights);
// At least two groups are needed to hold one out.
void check_several_groups(std::span<const int> of, bool in_time, const char* of_what = "all rows");

void check_weights(std::span<const int> y, std::span<const double> weights, const Names& names);

}  // namespace induce::detail
