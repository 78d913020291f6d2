// Kinds of columns for Python: (kind, levels) for each column.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <induce/columns.hpp>
#include <induce/error.hpp>

namespace induce::python {

using KindAndLevels = std::pair<std::string, std::vector<std::string>>;

inline ColumnKind to_kind(const std::string& name) {
  if (const auto kind = kind_from_name(name)) return *kind;
  throw Error(Fault::usage, "kind = '" + name + "': must be number, category, boolean or date");
}

inline std::vector<Column> to_columns(const std::vector<KindAndLevels>& described) {
  std::vector<Column> columns;
  for (const auto& [kind, levels] : described) columns.push_back({to_kind(kind), levels});
  return columns;
}

inline std::vector<KindAndLevels> from_columns(const std::vector<Column>& columns) {
  std::vector<KindAndLevels> described;
  for (const Column& column : columns) described.emplace_back(name_of(column.kind), column.levels);
  return described;
}

}  // namespace induce::python
