// What a column of a CSV table is, from its cells.
//
// Missing values (empty cells and the markers of number.hpp) do not count. A column of numbers is a number, of true and
// false in any case a boolean, of ISO dates a date. Numbers with decimal commas or thousands separators are numbers
// where the column leaves no doubt, and an error where it does. Any other column is text: an id, which is left out, if
// more than 90 % of the cells of a table of at least 20 rows are different, and otherwise a category. A column without
// any value is left out. Infinite numbers in a column of numbers are an error.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <induce/columns.hpp>

#include "io/csv_cells.hpp"
#include "io/csv_layout.hpp"
#include "io/read_options.hpp"

namespace induce {

// The cells of all chunks.
struct MergedCells {
  std::vector<CellCounts> features;
  // Per chunk and feature: the number in `features` of each text of the chunk's dictionary.
  std::vector<std::vector<std::vector<std::uint32_t>>> number;
};
MergedCells merge(const std::vector<ChunkCells>& chunks);

struct FoundColumn {
  enum class Use { feature, id, empty };
  Use use = Use::feature;
  Column column;
  std::vector<double> values;  // of each text
  std::size_t missing = 0;
  std::string warning;
  bool read_again = false;  // it has texts beside numbers or dates: all of its cells are needed as texts
};

// The table of a file, as far as it matters for a column.
struct TableFacts {
  std::string_view text;  // of the file, for lines in messages
  const CsvLayout& layout;
  const ReadOptions& options;
  std::size_t rows;
  std::string_view first_row;
};

// `rule`: as in the layout before any column was read again as texts; `as_texts`: this one was. Throws a ParseFault.
FoundColumn find_column(const CellCounts& cells, std::size_t feature, CellRule rule, bool as_texts,
                        const TableFacts& table);

}  // namespace induce
