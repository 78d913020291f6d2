// One pass over a part of a table (read_plan.hpp): its rows with the numbers of their texts, and what was seen on the way.
//
// The text is read in chunks that are parsed in parallel and merged in order. Memory is bounded by the size of the chunks,
// except for the different texts of each column. Texts have numbers of their own in each part.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "read/csv_columns.hpp"
#include "read/raw_rows.hpp"
#include "read/read_plan.hpp"

namespace induce {

// The cells of one feature in a part.
struct PartCells {
  CellTotals totals;
  TextCounts texts;
  bool has_texts = false;  // that are not missing values
  bool many = false;       // see ColumnCells

  ColumnCells view() const { return {totals, &texts.texts(), many}; }
};

struct ReadPart {
  std::size_t rows = 0;
  std::vector<PartCells> features;
  TextCounts labels;         // raw fields
  bool more_labels = false;  // than are kept
  std::vector<std::string> ids;
  std::vector<std::uint64_t> newlines;  // of each range of the part

  std::optional<ParseFault> fault;     // of the first row that has one; nothing was read after it
  std::optional<ParseFault> id_fault;  // of the first id that has one
  bool torn = false;                   // see text_chunks.hpp
  bool stopped = false;                // a column must be read as texts: the rest was not read

  // LIBSVM
  std::size_t pairs = 0, largest_index = 0;
  std::size_t least_last_index = static_cast<std::size_t>(-1);  // of all rows, the least index that ends one
  bool complete = true;                                         // every row has all features up to its last
  std::optional<Place> labelled{}, unlabelled{};                // the first row of either kind

  // Everything but the ids, to find the shape of the table elsewhere.
  std::string to_bytes() const;
  static ReadPart from_bytes(std::string_view bytes);  // throws a data Error
};

// `keep_ids`: of the id column, if there is one. Throws an Error if a file cannot be read; errors in the text are faults of
// the result.
ReadPart read_part(const ReadPlan& plan, std::size_t part, RawRows& rows, bool keep_ids = false);

}  // namespace induce
