// Reads a part of a training table (io/read_plan.hpp) in one of the processes of a job. Its driver is TableInParts
// (table_in_parts.hpp). All processes must see the same files.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "read/raw_rows.hpp"
#include "read/table_shape.hpp"

namespace induce {

class MessageReader;
class MessageWriter;
class Shard;

class PartReader {
 public:
  // `number`: of the process, and of the part that it reads, if there are as many. `threads`: 0: all cores.
  PartReader(int number, int threads, Shard& shard);

  // None if the request is not about reading. An answer begins with the text of an error, if there is one, and the name of
  // the machine.
  std::optional<std::string> answer(std::string_view request);

 private:
  void reply(MessageReader& in, MessageWriter& out);
  void read(MessageWriter& out);
  void find(MessageReader& in, MessageWriter& out);
  void sum_weights(MessageWriter& out);
  void keep(MessageReader& in, MessageWriter& out);
  void give(MessageWriter& out);
  bool has_part() const { return number_ < plan_->parts.size(); }

  std::size_t number_;
  int threads_;
  Shard& shard_;
  std::optional<ReadPlan> plan_;
  TableShape shape_;
  RowsInMemory rows_;
};

}  // namespace induce
