// What a column is, from its cells: decided here for text files, DataFrames and partitions of Dask.
//
// Missing values (empty cells and the markers of number.hpp) do not count. A column of numbers is a number, of true and
// false in any case a boolean, of dates a date. Numbers with decimal commas, thousands separators or units, and dates with
// the year last (text_values.hpp) are read where the column leaves no doubt, and an error where it does. Any other column is text: an id, which is left out, if
// more than 90 % of the cells of a table of at least 20 rows, or more than a million, are different, and otherwise a category. A column without
// any value is left out. Infinite numbers in a column of numbers are an error.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <induce/columns.hpp>

#include "read/column_doubts.hpp"
#include "read/csv_layout.hpp"
#include "read/text_counts.hpp"
#include "read/text_values.hpp"

namespace induce::detail {

inline constexpr std::size_t most_texts = 1'000'000;  // different ones; a text column that has more is an id

// What the source says that a column holds. Files of text say nothing.
enum class Storage { number, boolean, date, category, text };

// What was seen of a column, in a table or in a part of it.
struct SeenColumn {
  Storage storage = Storage::text;
  std::size_t missing = 0;  // empty cells; markers such as NA are texts
  std::size_t numbers = 0, dates = 0;
  std::size_t padded = 0;  // numbers with leading zeros
  TextCounts texts;
  bool has_texts = false;  // that are not missing values
  bool many = false;       // different texts, more than most_texts: they are not kept

  // The cells of a later part, whose places are in files after the first `files`.
  void add(const SeenColumn& part, std::uint32_t files = 0);
};

// What else matters for a column.
struct ColumnSetting {
  ColumnWords words;
  CellRule rule = CellRule::found;
  std::size_t rows = 0;
  bool expected = false;                              // by a model: it is not left out
  const Column* known = nullptr;                      // what it is in that model, if that is no number
  TextValues::Style style = TextValues::Style::none;  // in earlier rows
  TextValues::Style dates = TextValues::Style::none;  // as the user says
  std::optional<Place> first_row{};                   // its end, in a table without a header
  std::function<std::string(const Place&)> where{};   // "line 12"
};

struct FoundColumn {
  enum class Use { feature, id, empty };
  Use use = Use::feature;
  Column column;
  std::vector<double> values;  // of each text
  std::size_t missing = 0;
  std::string warning;
  bool read_again = false;  // it has texts besides numbers or dates: all of its cells are needed as texts

  std::size_t padded = 0;  // numbers with leading zeros

  TextValues::Style style = TextValues::Style::none;  // of its texts, if they are numbers or dates
  bool style_is_certain = false;
  std::vector<PlacedTexts::Entry> unknown{};  // levels that the model does not have
};

// The warning of levels that the model does not have: `count` different ones, `first` at `where`.
std::string warning_of_unknown(const std::string& column, std::size_t count, std::string_view first,
                               const std::string& where);

// `settled`: all cells were seen as texts, or are of one type. Throws a ParseFault.
FoundColumn find_column(const SeenColumn& seen, const ColumnSetting& setting, bool settled);

// Whether a column must be read again as texts, whatever its other cells are. `texts`: it has texts that are not missing
// values.
bool needs_texts(CellRule rule, bool numbers, bool dates, bool texts);

}  // namespace induce::detail
