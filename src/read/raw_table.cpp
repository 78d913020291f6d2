// See raw_table.hpp.
#include "read/raw_table.hpp"

namespace induce::detail {

RawTable read_raw_table(ReadPlan plan, std::unique_ptr<RawRows> rows, bool keep_ids) {
  for (;;) {
    SeenTable seen = read_rows(plan, *rows, keep_ids);
    TableShape shape = find_shape(plan, seen);
    if (!shape.again) return {std::move(shape), std::move(rows), std::move(seen.ids)};
    plan = *std::move(shape.again);
  }
}

}  // namespace induce::detail
