// The layout of a CSV table: delimiter, header, label column, weight column and feature columns. Determined
// from the first line and the options, before any number is parsed. The rules are in read.hpp and
// read_options.hpp.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "io/read_options.hpp"

namespace induce {

struct CsvLayout {
  static constexpr int label_column = -1;
  static constexpr int ignored_column = -2;
  static constexpr int weight_column = -3;

  char delimiter = ',';
  bool quoted = false;              // the body contains quotes, so a newline may be part of a field
  std::string_view body;            // the text after the header
  std::vector<std::string> header;  // names of all columns; empty if there is no header
  std::vector<int> target;          // per column: its feature, or one of the constants above
  std::size_t features = 0;         // d
  bool has_label = false, has_weight = false;
  std::string label_name, weight_name;  // weight_name is the index if there is no header
  std::vector<std::string> feature_names;

  std::size_t columns() const { return target.size(); }
  std::string name_of_column(std::size_t column) const;  // "column 3 ('age')", 1-based
};

// `text` must not be blank. Throws a ParseFault.
CsvLayout csv_layout(std::string_view text, const ReadOptions& options);

}  // namespace induce
