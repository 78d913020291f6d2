// The chunks of a table, from one file after the other, without the headers.
#pragma once

#include <cstdint>
#include <optional>

#include "read/read_plan.hpp"

namespace induce {

class TableText {
 public:
  explicit TableText(const ReadPlan& plan) : plan_(plan) {}

  // False: there is no more. Throws a ParseFault with its place, or an Error.
  bool take(TextChunk& chunk);

 private:
  void open_next();

  const ReadPlan& plan_;
  std::uint32_t next_ = 0;  // file
  std::optional<TextChunks> text_;
};

}  // namespace induce
