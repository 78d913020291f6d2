// A table of one or several files as raw rows with their shape, in one process. Several processes call read_part() and
// find_shape() themselves: each reads its part, sends ReadPart::to_bytes() to all others, and finds the same shape.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "read/final_rows.hpp"
#include "read/raw_rows.hpp"
#include "read/table_shape.hpp"

namespace induce {

struct RawTable {
  TableShape shape;                            // its `again` is empty
  std::vector<std::unique_ptr<RawRows>> rows;  // of each part
  std::vector<std::string> ids;                // of all rows, if they were to be kept

  // A part of the rows, from the first on.
  FinalRows part(std::size_t number, bool release = false) { return {shape, number, *rows[number], release}; }
};

// Reads the plan's files until their shape is known. `make_rows`: where the rows of a part go. Throws an Error.
RawTable read_raw_table(ReadPlan plan, const std::function<std::unique_ptr<RawRows>()>& make_rows,
                        bool keep_ids = false);

}  // namespace induce
