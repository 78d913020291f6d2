// Columns that alone determine the label: other names of it, or what is known only afterwards.
//
// Two rules for the label are made from each column:
//   values      each level or number, and a gap, stands for its most frequent class; a value of a single row is an error
//   thresholds  of a number or date: C - 1 thresholds give each of the C classes an interval; a gap is an error
// A column determines the label if one of them
//   - makes at most a hundredth of the errors of always naming the most frequent class, both counted with weights, and
//   - is not that good by chance. n rows with n_c of each class can be labelled in n!/prod n_c! ways, and at most
//       values      C^L                       choose(n, e) (C - 1)^e (e + 1)
//       thresholds  C! choose(n - 1, C - 1)   choose(n, e) (C - 1)^e (e + 1)
//     of them leave e errors or fewer to L values or to the thresholds. Their share, times the number of columns, must be
//     below 1e-6. So ids never do, and a column that equals the label needs about 30 rows.
// Equal rows are one row here: a copy is no further evidence.
#pragma once

#include <string>

#include <induce/model.hpp>

#include "machine/workers.hpp"
#include "store/memory_store.hpp"

namespace induce::detail {

// Names these columns; empty if there are none.
std::string warning_of_label_columns(const MemoryStore& merged, const Names& names, Workers& workers);

}  // namespace induce::detail
