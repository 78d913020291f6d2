// The chunks of a part of a table, from one file after the other, without the headers.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "read/read_plan.hpp"

namespace induce {

class PartText {
 public:
  PartText(const ReadPlan& plan, std::size_t part) : plan_(plan), ranges_(plan.parts[part]) {}

  // False: there is no more. Throws a ParseFault with its place, or an Error.
  bool take(TextChunk& chunk);

  const std::vector<std::uint64_t>& newlines() const { return newlines_; }  // of each range that was read
  bool torn() const { return torn_; }

 private:
  void open_next();

  const ReadPlan& plan_;
  const std::vector<FileRange>& ranges_;
  std::size_t next_ = 0;
  std::optional<TextChunks> text_;
  std::vector<std::uint64_t> newlines_;
  bool torn_ = false;
};

}  // namespace induce
