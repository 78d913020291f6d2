// Maps labels to the classes of a model. The rules are in read.hpp.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "read/text_counts.hpp"

namespace induce::detail {

struct Labels {
  std::vector<int> class_of{};  // of each spelling, index into classes; -1: the label is missing
  std::vector<std::string> classes{};
  std::size_t missing = 0;  // rows
  std::string warning{};    // of classes that differ by case or blanks only
};

// `spellings`: the different labels in order of appearance. `csv`: they may be quoted. `more`: there are others. `known`:
// the classes of a model; without them the labels must form two classes or more. Missing-value markers (number.hpp) are no
// labels, unless the model has such a class. Throws a ParseFault.
Labels resolve_labels(const PlacedTexts& spellings, bool csv, bool more,
                      const std::optional<std::vector<std::string>>& known);

// The class name of a numeric label: the shortest text that reads back as the same number.
std::string shortest_form(double value);

}  // namespace induce::detail
