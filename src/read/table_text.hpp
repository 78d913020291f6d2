// The chunks of a table, from one file after the other, without the headers.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "read/arrow.hpp"
#include "read/read_plan.hpp"

namespace induce::detail {

class TableText {
 public:
  explicit TableText(const ReadPlan& plan) : plan_(plan) {}

  // False: there is no more. Throws a ParseFault with its place, or an Error.
  bool take(TextChunk& chunk);

 private:
  void open_next();
  void open_arrow(std::uint32_t file);
  bool take_batch(TextChunk& chunk);  // some rows of one

  const ReadPlan& plan_;
  std::uint32_t next_ = 0;  // file
  std::optional<TextChunks> text_;
  std::shared_ptr<ArrowStream> arrow_;  // in place of text_
  std::optional<ArrowBatch> batch_;     // of which the first rows were taken
  std::size_t taken_ = 0;
  Place arrow_place_;
};

}  // namespace induce::detail
