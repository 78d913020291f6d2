// See read_part.hpp.
#include "read/read_part.hpp"

#include "read/chunk_batches.hpp"
#include "read/csv_merger.hpp"
#include "read/libsvm_chunk.hpp"

namespace induce {
ReadPart read_part(const ReadPlan& plan, std::size_t number, RawRows& rows, bool keep_ids) {
  ReadPart part;
  PartText text(plan, number);
  try {
    if (plan.format == Format::libsvm) {
      rows.restart(plan.features + 1);
      for_each_chunk<LibsvmChunk>(
          plan, text, [&](LibsvmChunk& chunk) { parse_chunk(plan, chunk); },
          [&](LibsvmChunk& chunk) {
            const bool more = merge(plan, chunk, part);
            rows.append(chunk.rows.data(), plan.features == 0 ? 0 : chunk.count);
            return more;
          });
    } else {
      rows.restart(plan.width());
      CsvMerger merger(plan, part);
      for_each_chunk<CsvChunk>(
          plan, text, [&](CsvChunk& chunk) { parse_chunk(plan, keep_ids, chunk); },
          [&](CsvChunk& chunk) {
            const bool more = merger.merge(chunk);
            rows.append(chunk.rows.data(), chunk.count);
            return more;
          });
    }
  } catch (const ParseFault& fault) {
    part.fault = fault;
  }
  part.newlines = text.newlines();
  part.torn = text.torn();
  return part;
}

}  // namespace induce
