// Which column is the label, if nobody says so.
//
// The last column, if it has exactly two different values. Otherwise other columns compete that have exactly two: texts,
// booleans, and the numbers 0 and 1. If the last column can be no label (one value, dates, a quantity, free text) and
// one column competes, that one is the label. If it can be, and none competes, the last column is the label. Anything
// else is an error that lists the columns. A quantity has more than 100 different values, or more than 20 that are not
// all integers. A table of numbers only keeps its last column if it has up to 1000 different integers.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "io/csv_columns.hpp"
#include "io/csv_layout.hpp"

namespace induce {

struct LabelChoice {
  std::size_t column = 0;
  std::string note;  // if it is not the last column
};

// `labels`: the raw fields of the layout's label column; `more`: there are different ones that are not in it. `cells`: of
// each feature. Throws a ParseFault.
LabelChoice choose_label(const CsvLayout& layout, const PlacedTexts& labels, bool more,
                         const std::vector<FoundColumn>& features, const std::vector<ColumnCells>& cells);

}  // namespace induce
