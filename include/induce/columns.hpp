// What the columns of a table are: numbers, categories, booleans or dates.
//
// A TableView holds one double per cell, whatever the kind of its column:
//   number             its value
//   date               days since 1970-01-01 00:00, with the time of day as the fraction
//   category, boolean  the index of its level in Column::levels; the number of levels, or more: a level that is not listed
// NaN is a missing value in a column of any kind.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <induce/api.hpp>

namespace induce {

enum class ColumnKind { number, category, boolean, date };
INDUCE_API std::string_view name_of(ColumnKind kind);  // "number", "category", "boolean", "date"
INDUCE_API std::optional<ColumnKind> kind_from_name(std::string_view name);  // none if no kind has this name

struct Column {
  ColumnKind kind = ColumnKind::number;
  std::vector<std::string> levels{};  // of a category or boolean: all different, in bytewise order

  bool has_levels() const { return kind == ColumnKind::category || kind == ColumnKind::boolean; }
  bool operator==(const Column&) const = default;
};

}  // namespace induce
