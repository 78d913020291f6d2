// A table of one or several files as raw rows with their shape.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "read/final_rows.hpp"
#include "read/raw_rows.hpp"
#include "read/table_shape.hpp"

namespace induce::detail {

struct RawTable {
  TableShape shape;  // its `again` is empty
  std::unique_ptr<RawRows> rows;
  std::vector<std::string> ids;  // of all rows, if they were to be kept

  FinalRows final_rows(bool release = false) { return {shape, *rows, release}; }
};

// Reads the plan's files until their shape is known. `rows`: where they go. Throws an Error.
RawTable read_raw_table(ReadPlan plan, std::unique_ptr<RawRows> rows, bool keep_ids = false);

}  // namespace induce::detail
