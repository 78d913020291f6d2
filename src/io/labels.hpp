// Maps labels to the two classes of a model. The rules are in read.hpp.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace induce {

struct Labels {
  std::vector<int> y;  // 0 or 1, an index into classes
  std::array<std::string, 2> classes;
};

// `raw`: views of the file's text, none empty. `csv`: they may be quoted. `known`: the classes of a model;
// without them the labels must form exactly two classes. Throws a ParseFault.
Labels resolve_labels(const std::vector<std::string_view>& raw, bool csv,
                      const std::optional<std::array<std::string, 2>>& known);

// The class name of a numeric label: the shortest text that reads back as the same number.
std::string shortest_form(double value);

}  // namespace induce
