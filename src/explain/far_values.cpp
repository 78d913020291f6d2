#include <induce/far_values.hpp>

#include "describe/values.hpp"
#include "model/state.hpp"
#include "text/format.hpp"

namespace induce {

using namespace detail;

std::string far_values_text(const Model& model, const std::vector<RowsOutside>& rows) {
  constexpr std::size_t most_columns = 5;
  const Names& names = model.names();
  const ColumnRanges& ranges = state_of(model).ranges;
  std::string text;
  std::size_t columns = 0;
  for (std::size_t c = 0; c < rows.size(); ++c) {
    if (rows[c].below + rows[c].above == 0 || ++columns > most_columns) continue;
    const bool is_date = !names.columns.empty() && names.columns[c].kind == ColumnKind::date;
    const auto part = [&](std::size_t count, const char* where, double end) {
      return counted(count, "row") + " far " + where + " value of training (" +
             (is_date ? date_text(end) : readable(end, 6)) + ")";
    };
    text += (columns > 1 ? "; " : "") + feature_name(names, c) + ": ";
    if (rows[c].below > 0) text += part(rows[c].below, "below the smallest", ranges.lowest[c]);
    if (rows[c].below > 0 && rows[c].above > 0) text += ", ";
    if (rows[c].above > 0) text += part(rows[c].above, "above the largest", ranges.highest[c]);
  }
  if (columns > most_columns) text += "; and " + counted(columns - most_columns, "more column");
  return columns == 0 ? text : text + ": the model has seen nothing like it there";
}

}  // namespace induce
