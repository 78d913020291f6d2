// What the columns of a CSV table mean: delimiter, header, which column is the label, which the weight, and
// which feature each of the others is. All is decided from the first line and the options, before any number
// is parsed. The rules are in read.hpp and read_options.hpp.
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
  bool quoted = false;              // there are quotes in the body, so a newline need not end a record
  std::string_view body;            // the text behind the header
  std::vector<std::string> header;  // the names of all columns; empty if there is no header
  std::vector<int> target;          // for each column the feature it is, or one of the constants above
  std::size_t features = 0;         // d
  bool has_label = false, has_weight = false;
  std::string label_name, weight_name;  // of a weight column without a name: its index
  std::vector<std::string> feature_names;

  std::size_t columns() const { return target.size(); }
  std::string name_of_column(std::size_t column) const;  // "column 3 ('age')", counted from 1
};

// `text` must hold something other than blanks. Throws a ParseFault.
CsvLayout csv_layout(std::string_view text, const ReadOptions& options);

}  // namespace induce
