// See raw_table.hpp.
#include "read/raw_table.hpp"

#include <algorithm>

namespace induce {

RawTable read_raw_table(ReadPlan plan, const std::function<std::unique_ptr<RawRows>()>& make_rows,
                        bool keep_ids) {
  RawTable table;
  for (;;) {
    while (table.rows.size() < plan.parts.size()) table.rows.push_back(make_rows());
    std::vector<ReadPart> parts;
    std::vector<const ReadPart*> pointers;
    for (std::size_t part = 0; part < plan.parts.size(); ++part)
      parts.push_back(read_part(plan, part, *table.rows[part], keep_ids));
    for (const ReadPart& part : parts) pointers.push_back(&part);
    table.shape = find_shape(plan, pointers);
    if (table.shape.again) {
      plan = *std::move(table.shape.again);
      table.rows.resize(std::min(table.rows.size(), plan.parts.size()));
      continue;
    }
    for (ReadPart& part : parts)
      for (std::string& id : part.ids) table.ids.push_back(std::move(id));
    return table;
  }
}

}  // namespace induce
