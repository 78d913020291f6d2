// An order of rows that depends on their contents only. 0 and -0 are equal, and so are all NaN.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "linalg/types.hpp"

namespace induce::detail {

// `order`: in which columns are hashed; empty: as they are.
std::uint64_t hash_of_row(const double* x, std::size_t d, std::span<const Index> order, int label);

// Compares two rows and their labels: -1, 0 or 1. Labels are compared last, so that rows with equal features are adjacent.
int compare_rows(const double* x, int label, const double* z, int label_of_z, std::size_t d);

// The columns by name, so that their order in the table does not matter; as they are if there are no names.
std::vector<Index> columns_by_name(std::size_t columns, const std::vector<std::string>& names);

}  // namespace induce::detail
