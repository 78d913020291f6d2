// One pass over a table (read_plan.hpp): its rows with the numbers of their texts, and what was seen on the way.
//
// The text is read in chunks that are parsed in parallel and merged in order. Memory is bounded by the size of the chunks,
// except for the different texts of each column.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "read/raw_rows.hpp"
#include "read/read_plan.hpp"
#include "read/schema.hpp"

namespace induce::detail {

struct SeenTable {
  std::size_t rows = 0;
  std::vector<SeenColumn> features;
  TextCounts labels;         // raw fields
  bool more_labels = false;  // than are kept
  std::vector<std::string> ids;

  std::optional<ParseFault> fault;     // of the first row that has one; nothing was read after it
  std::optional<ParseFault> id_fault;  // of the first id that has one
  bool stopped = false;                // a column must be read as texts: the rest was not read

  // LIBSVM
  std::size_t pairs = 0, largest_index = 0;
  std::size_t least_last_index = static_cast<std::size_t>(-1);  // of all rows, the least index that ends one
  bool complete = true;                                         // every row has all features up to its last
  std::optional<Place> labelled{}, unlabelled{};                // the first row of either kind
};

// `keep_ids`: of the id column, if there is one. Throws an Error if a file cannot be read; errors in the text are faults of
// the result.
SeenTable read_rows(const ReadPlan& plan, RawRows& rows, bool keep_ids = false);

}  // namespace induce::detail
