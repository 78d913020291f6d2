// The levels of a category: different spellings of one value are one level, whoever reads the table.
//
// Blanks around a spelling do not count, and missing-value markers (number.hpp) are not levels. If all other spellings
// are true or false, in any case, the levels are "false" and "true". If all are finite numbers, levels are numbers in
// their shortest form, so that "1", "1.0" and "+1" are one level. Otherwise levels are the texts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <induce/columns.hpp>

namespace induce::detail {

struct Levels {
  std::vector<std::string> levels;  // all different, in bytewise order
  std::vector<int> of_spelling;     // index into levels; -1: missing
};

Levels find_levels(const std::vector<std::string>& spellings);

// The same for the levels of a fitted model: the index of each spelling, levels.size() for a level that is not listed,
// -1 for a missing value. A boolean column also takes 0 and 1.
std::vector<int> match_levels(const std::vector<std::string>& spellings, const Column& column);

// True for true and false in any case.
bool is_boolean(std::string_view token);

}  // namespace induce::detail
