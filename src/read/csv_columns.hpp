// What a column of a CSV table is, from its cells.
//
// Missing values (empty cells and the markers of number.hpp) do not count. A column of numbers is a number, of true and
// false in any case a boolean, of dates a date. Numbers with decimal commas, thousands separators or units, and dates with
// the year last (text_values.hpp) are read where the column leaves no doubt, and an error where it does. Any other column is text: an id, which is left out, if
// more than 90 % of the cells of a table of at least 20 rows, or more than a million, are different, and otherwise a category. A column without
// any value is left out. Infinite numbers in a column of numbers are an error.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <induce/columns.hpp>

#include "read/csv_cells.hpp"
#include "read/csv_layout.hpp"
#include "read/read_options.hpp"
#include "read/text_counts.hpp"
#include "read/text_values.hpp"

namespace induce {

inline constexpr std::size_t most_texts = 1'000'000;  // different ones; a text column that has more is an id

// Counts of the cells of one feature.
struct CellTotals {
  std::size_t missing = 0;  // empty ones; markers such as NA are texts
  std::size_t numbers = 0, dates = 0;
  std::size_t padded = 0;  // numbers with leading zeros

  CellTotals& operator+=(const CellTotals& more);
};

// The cells of one feature.
struct ColumnCells {
  CellTotals totals;
  const PlacedTexts* texts;
  bool many =
      false;  // different texts, more than most_texts: they are not kept, missing ones are in the totals
};

struct FoundColumn {
  enum class Use { feature, id, empty };
  Use use = Use::feature;
  Column column;
  std::vector<double> values;  // of each text
  std::size_t missing = 0;
  std::string warning;
  bool read_again = false;  // it has texts beside numbers or dates: all of its cells are needed as texts

  std::size_t padded = 0;  // numbers with leading zeros

  TextValues::Style style = TextValues::Style::none;  // of its texts, if they are numbers or dates
  bool style_is_certain = false;
  std::vector<const PlacedTexts::Entry*> unknown{};  // levels that the model does not have
};

// The table, as far as it matters for a column.
struct TableFacts {
  const CsvLayout& layout;
  const ReadOptions& options;
  std::size_t rows;
  std::uint32_t first_file;                                // that with the first row
  std::function<std::string(const Place&)> line;           // "12", or with several files "12 of 'b.csv'"
  const std::vector<TextValues::Style>* styles = nullptr;  // of each feature, if earlier rows say so
};

// The warning of levels that the model does not have: `count` different ones, `first` at `place`.
std::string warning_of_unknown(const std::string& column, std::size_t count, std::string_view first,
                               const std::string& line);

// `rule`: as in the layout before any column was read again as texts; `as_texts`: this one was. Throws a ParseFault.
FoundColumn find_column(const ColumnCells& cells, std::size_t feature, CellRule rule, bool as_texts,
                        const TableFacts& table);

// Whether a column must be read again as texts, whatever its other cells are. `texts`: it has texts that are not missing
// values.
bool needs_texts(CellRule rule, bool numbers, bool dates, bool texts);

}  // namespace induce
