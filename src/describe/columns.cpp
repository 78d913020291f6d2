#include <induce/columns.hpp>

namespace induce {

std::string_view name_of(ColumnKind kind) {
  switch (kind) {
    case ColumnKind::category:
      return "category";
    case ColumnKind::boolean:
      return "boolean";
    case ColumnKind::date:
      return "date";
    case ColumnKind::number:
      break;
  }
  return "number";
}

std::optional<ColumnKind> kind_from_name(std::string_view name) {
  for (const ColumnKind kind :
       {ColumnKind::number, ColumnKind::category, ColumnKind::boolean, ColumnKind::date})
    if (name == name_of(kind)) return kind;
  return std::nullopt;
}

}  // namespace induce
