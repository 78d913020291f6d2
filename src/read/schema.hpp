// What a column is, from its cells: decided here for text files, DataFrames and partitions of Dask.
//
// Missing values (empty cells and the markers of number.hpp) do not count. A column of numbers is a number, of true and
// false in any case a boolean, of dates a date. Numbers with decimal commas, thousands separators or units, and dates with
// the year last (text_values.hpp) are read where the column leaves no doubt, and an error where it does. Any other column is text: an id, which is left out, if
// more than 90 % of the cells of a table of at least 20 rows, or more than a million, are different, and otherwise a category.
// A column without any value is left out. Infinite numbers in a column of numbers are an error.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <induce/columns.hpp>

#include "read/csv_layout.hpp"
#include "read/dictionary.hpp"
#include "read/text_values.hpp"

namespace induce::detail {

struct Dataset;

// A column in messages, and what users may type or do about it.
struct ColumnWords {
  std::string shown;               // "column 3 ('zip')"
  std::string name;                // empty: it has none
  std::string drop, categorical;   // "--drop zip", "--categorical zip"
  std::string numeric{};           // "--numeric"
  std::string dates{}, numbers{};  // about those that can be read in two ways
  std::string gap{};               // about other texts
};

// Those of the command line; `number`: of the column, if it has no name.
ColumnWords command_words(const std::string& shown, const std::string& name, std::size_t number);

inline constexpr std::size_t most_texts = 1'000'000;  // different ones; a text column that has more is an id

// What the source says that a column holds. Files of text say nothing.
enum class Storage { number, boolean, date, category, text };

// What was seen of a column, in a table or in a part of it.
struct SeenColumn {
  Storage storage = Storage::text;
  std::size_t missing = 0;  // empty cells; markers such as NA are texts
  std::size_t numbers = 0, dates = 0;
  std::size_t padded = 0;  // numbers with leading zeros
  Dictionary texts{};
  bool many = false;  // different texts, more than most_texts: they are not kept

  // The cells of a later part. Returns the number of each of its texts, none if they are not kept.
  std::vector<std::uint32_t> add(const SeenColumn& part);
  void forget_texts();     // there are too many
  bool has_texts() const;  // that are not missing values
};

// What else matters for a column.
struct ColumnSetting {
  ColumnWords words;
  CellRule rule = CellRule::found;
  std::size_t rows = 0;
  bool expected = false;                             // by a model: it is not left out
  const Column* known = nullptr;                     // what it is in that model, if that is no number
  TextStyle style = TextStyle::none;                 // in earlier rows
  TextStyle dates = TextStyle::none;                 // as the user says
  std::optional<Place> first_row{};                  // its end, in a table without a header
  std::function<std::string(const Place&)> where{};  // "line 12"
};

struct FoundColumn {
  enum class Use { feature, id, empty };
  Use use = Use::feature;
  Column column{};
  std::vector<double> values{};  // of each text
  std::size_t missing = 0;
  std::size_t padded = 0;  // numbers with leading zeros
  std::string warning{};
  bool read_again = false;  // it has texts besides numbers or dates: all of its cells are needed as texts
  TextStyle style = TextStyle::none;         // of its texts, if they are numbers or dates and it is certain
  std::vector<Dictionary::Entry> unknown{};  // levels that the model does not have: views of what was seen
};

// The warning of levels that the model does not have: `count` different ones, `first` at `where`.
std::string warning_of_unknown(const std::string& column, std::size_t count, std::string_view first,
                               const std::string& where);

// `settled`: all cells were seen as texts, or are of one type. Throws a ParseFault.
FoundColumn find_column(const SeenColumn& seen, const ColumnSetting& setting, bool settled);

// Whether a column must be read again as texts, whatever its other cells are.
bool needs_texts(CellRule rule, const SeenColumn& seen);

// What is odd about a column, for a warning that says what to do about it; empty if nothing is.
//
// A text column with hundreds of levels and few cells for each.
std::string doubt_about_levels(const ColumnWords& column, std::size_t levels, std::size_t cells,
                               std::string_view example);

// A column of whole numbers that looks like an id or a code: by its name, by leading zeros in `padded` cells, or because its
// values repeat far less often than numbers by chance. NaN: missing.
std::string doubt_about_numbers(const ColumnWords& column, std::vector<double> values, std::size_t padded);

// The same for all columns of a table that were found to be numbers; without rows, only leading zeros tell.
std::vector<std::string> doubts_about_numbers(const Dataset& data);

// Does the number begin with a zero that is not needed?
inline bool is_padded(std::string_view number) {
  return number.size() > 1 && number[0] == '0' && number[1] >= '0' && number[1] <= '9';
}

}  // namespace induce::detail
