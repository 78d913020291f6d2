// What is odd about a column, for a warning that says what to do about it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace induce::detail {

struct Dataset;

// A column in messages, and what users may type or do about it.
struct ColumnWords {
  std::string shown;              // "column 3 ('zip')"
  std::string name;               // empty: it has none
  std::string drop, categorical;  // "--drop zip", "--categorical zip"
  std::string numeric{};          // "--numeric"
  std::string dates{}, numbers{},
      gap{};  // about dates and numbers that can be read in two ways, and about other texts
};

// Those of the command line; `number`: of the column, if it has no name.
ColumnWords command_words(const std::string& shown, const std::string& name, std::size_t number);

// A text column with hundreds of levels and few cells for each. All doubts: empty if there is none.
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
