// What is asked of processes that read a table together (part_reader.hpp), besides the requests of a fit (wire.hpp).
#pragma once

#include "read/final_rows.hpp"
#include "read/read_options.hpp"
#include "shard/message.hpp"

namespace induce {

enum class ReadRequest : Index {
  read = 1000,  // files and options: read your part and answer with what was seen in it
  find,         // what was seen in all parts: find the shape, or read again and answer as before
  sum_weights,  // of each class
  keep,         // give your rows to your shard
  give          // your rows to the driver
};

// Those of a training table: there are no classes and no features that it must have.
void write_read_options(MessageWriter& out, const ReadOptions& options);
ReadOptions read_read_options(MessageReader& in);

void write_texts(MessageWriter& out, const std::vector<std::string>& texts);
std::vector<std::string> read_texts(MessageReader& in);

void write_gaps(MessageWriter& out, const Gaps& gaps);
Gaps read_gaps(MessageReader& in);

}  // namespace induce
