// The layout of a CSV table: delimiter, header, and what each column is for. Determined from the first line and
// the options, before any cell is read. The rules are in read.hpp and read_options.hpp.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "read/read_options.hpp"

namespace induce::detail {

// How the cells of a feature are read.
enum class CellRule {
  found,     // by what they are
  number,    // numbers only
  category,  // every cell is a text
  date       // dates only
};

struct CsvLayout {
  static constexpr int label_column = -1;
  static constexpr int ignored_column = -2;
  static constexpr int weight_column = -3;
  static constexpr int id_column = -4;
  static constexpr int dropped_column = -5;  // by the options
  static constexpr int trials_column = -6;

  char delimiter = ',';
  std::size_t body = 0;             // bytes before the first row, header included
  std::size_t first_row_end = 0;    // the end of the first row, if there is no header
  std::vector<std::string> header;  // names of all columns; empty if there is no header
  std::vector<int> target;          // per column: its feature, or one of the constants above
  std::size_t features = 0;         // d
  std::vector<std::size_t> column;  // of each feature
  std::vector<CellRule> rule;       // of each feature
  bool has_label = false, has_weight = false, has_trials = false;
  std::optional<std::size_t> id;        // the id column; it may also be a feature that a model needs
  std::optional<std::size_t> grouping;  // of groups or times: a feature in which each row has a value
  std::string label_name;
  std::string weight_name, trials_name;  // the index if there is no header
  std::vector<std::string> feature_names;
  std::vector<std::string> unknown;  // columns that the model does not know

  std::size_t columns() const { return target.size(); }
  std::string name_of_column(std::size_t which) const;  // "column 3 ('age')", 1-based
};

// The first row of a text, which may be a header. Blank lines and lines that start with '#' before it do not count.
struct FirstRow {
  char delimiter = ',';
  std::size_t begin = 0, end = 0;  // of the record, without its newline
  std::size_t next = 0;            // where the next record begins
  bool whole = false;              // more text would not change it
};
// `delimiter`: 0 if it is to be found. The text may continue, unless `ended`. Throws a ParseFault if it has ended and has
// comments only.
FirstRow find_first_row(std::string_view text, char delimiter, bool ended);

// Where the rows begin in another file of the same table: after its header, if the table has one. `text` is the
// beginning of that file and has its first row, `first` the name of the file with the layout. Throws a ParseFault if the
// headers differ.
std::size_t body_of(std::string_view text, const CsvLayout& layout, const std::string& first);
// `at`: where the other header is.
void check_header(const std::vector<std::string>& found, const CsvLayout& layout, const std::string& first,
                  const char* at = nullptr);

// `text` is the beginning of a file and has its first row. Throws a ParseFault.
CsvLayout csv_layout(std::string_view text, const ReadOptions& options);
// What each column is for, if the header is known. `rows`: the text after it.
void set_columns(CsvLayout& layout, std::size_t columns, const ReadOptions& options,
                 std::string_view rows = {});

}  // namespace induce::detail
