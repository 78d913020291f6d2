// The columns of a model as tensors for its file. Lists of different lengths are stored one after the other, with their
// lengths in another tensor.
//   typical_values (R, p)     most_gaps (1)     column_gaps (p)      what missing values may be (table/typical_values.hpp)
//   column_ranges (p, 2)      the smallest and largest value; 0 and 0 in a column without values
// and, unless features are columns (table/encoding.hpp),
//   column_order (p)          level_counts (p), level_features: levels with a feature     repeated_counts (p), repeated_values
#pragma once

#include <map>
#include <string>
#include <vector>

#include <induce/columns.hpp>

#include "model/safetensors.hpp"
#include "store/column_ranges.hpp"
#include "table/encoding.hpp"
#include "table/typical_values.hpp"

namespace induce::detail {

std::map<std::string, Tensor> column_tensors(const Encoding& encoding, const TypicalValues& typical,
                                             const ColumnRanges& ranges);

// The names of the tensors with one number per column; `encoded`: also those of an encoding.
std::vector<std::string> names_of_column_tensors(bool encoded);

// From a file whose tensors have the right shapes. `columns`: the kinds of the columns, or empty. Return the reason why they
// cannot, to follow "the model", or nothing.
std::string read_typical_values(const CheckedTensors& file, TypicalValues& out);
std::string read_ranges(const CheckedTensors& file, ColumnRanges& out);
std::string read_encoding(const CheckedTensors& file, const std::vector<Column>& columns, Encoding& out);

}  // namespace induce::detail
