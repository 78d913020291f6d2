// Texts as the levels of a category or as classes: different spellings of one value are one level, whoever reads the table.
//
// Levels. Blanks around a text do not count, and missing-value markers (number.hpp) are not levels. If all other texts
// are true or false, in any case, the levels are "false" and "true". If all are finite numbers, levels are numbers in
// their shortest form, so that "1", "1.0" and "+1" are one level. Otherwise levels are the texts.
//
// Classes. The same, but blanks inside quotes count, true and false are texts like others, and numbers are in their order.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <induce/columns.hpp>

#include "read/dictionary.hpp"

namespace induce::detail {

struct Levels {
  std::vector<std::string> names{};  // all different, in bytewise order
  std::vector<int> level{};          // of each text, index into names; -1: missing
};

Levels find_levels(const std::vector<std::string>& texts);

// The same for the levels of a fitted model: the index of each text, levels.size() for a level that is not listed,
// -1 for a missing value. A boolean column also takes 0 and 1.
std::vector<int> match_levels(const std::vector<std::string>& texts, const Column& column);

// True for true and false in any case.
bool is_boolean(std::string_view token);

struct Classes : Levels {
  std::size_t missing = 0;  // rows without a label
  std::string warning{};    // of classes that differ by case or blanks only
};

// `more`: there are other labels. `known`: the classes of a model; without them the labels must form
// two classes or more, which `order`, if not empty, must list. Missing-value markers are no labels, unless the model has such a class. Throws a ParseFault.
Classes find_classes(const Dictionary& labels, bool more,
                     const std::optional<std::vector<std::string>>& known,
                     const std::vector<std::string>& order = {});

}  // namespace induce::detail
