// The layout of a CSV table: delimiter, header, and what each column is for. Determined from the first line and
// the options, before any cell is read. The rules are in read.hpp and read_options.hpp.
#pragma once

#include <cstddef>
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

  char delimiter = ',';
  std::size_t body = 0;             // bytes before the first row, header included
  std::size_t first_row_end = 0;    // the end of the first row, if there is no header
  std::vector<std::string> header;  // names of all columns; empty if there is no header
  std::vector<int> target;          // per column: its feature, or one of the constants above
  std::size_t features = 0;         // d
  std::vector<std::size_t> column;  // of each feature
  std::vector<CellRule> rule;       // of each feature
  bool has_label = false, has_weight = false, has_id = false;
  std::size_t id = 0;  // the id column, if there is one; it may also be a feature that a model needs
  std::string label_name, weight_name;  // weight_name is the index if there is no header
  std::vector<std::string> feature_names;
  std::vector<std::size_t> dropped;  // columns that the options leave out, ascending
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

// `text` is the beginning of a file and has its first row, which is a header if that is `certain`. Throws a ParseFault.
CsvLayout csv_layout(std::string_view text, const ReadOptions& options, bool certain = false);

}  // namespace induce::detail
