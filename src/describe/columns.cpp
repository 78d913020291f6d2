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

}  // namespace induce
