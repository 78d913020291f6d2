// Columns that look like the name of what rows belong to, such as a person: a model may learn each of them by heart.
//
// A column of categories or whole numbers is one if
//   - it has at least 50 different values, with 2 to 50 rows each in the mean, and none has more than a tenth of the rows;
//   - rows of a value share the label. With T pairs of rows of one value and one label, of P pairs of one value, P p2 are
//     expected if labels are independent of values, p2 the share of all pairs of rows with one label. T is larger by at least
//     five standard deviations (each value apart: k (k - 1)/2 p2 (1 - p2) + k (k - 1)(k - 2) (p3 - p2^2) for k rows, p3 the
//     sum of cubes of the frequencies of classes), and larger than for each of 999 random orders of the labels;
//   - of numbers, rows of neighbouring values share it less than a quarter as much: otherwise they are a quantity.
// So a column that has nothing to do with the label is named with a probability of at most 1/1000. One that has may be a
// feature: the warning says what would make it a group. Only whole values are looked at, as many as have 20,000 rows.
#pragma once

#include <string>

#include <induce/model.hpp>

#include "machine/workers.hpp"
#include "store/memory_store.hpp"

namespace induce::detail {

// Names these columns; empty if there are none.
std::string warning_of_group_columns(const MemoryStore& rows, const Names& names, Workers& workers);

}  // namespace induce::detail
