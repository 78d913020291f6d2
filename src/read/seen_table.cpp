// See seen_table.hpp.
#include "read/seen_table.hpp"

#include "read/chunk_batches.hpp"
#include "read/csv_merger.hpp"
#include "read/libsvm_chunk.hpp"

namespace induce::detail {

SeenTable read_rows(const ReadPlan& plan, RawRows& rows, bool keep_ids) {
  SeenTable seen;
  TableText text(plan);
  try {
    if (plan.format == Format::libsvm) {
      rows.restart(plan.features + 1);
      for_each_chunk<LibsvmChunk>(
          plan, text, [&](LibsvmChunk& chunk) { parse_chunk(plan, chunk); },
          [&](LibsvmChunk& chunk) {
            const bool more = merge(plan, chunk, seen);
            rows.append(chunk.rows.data(), plan.features == 0 ? 0 : chunk.count);
            return more;
          });
    } else {
      rows.restart(plan.width());
      CsvMerger merger(plan, seen);
      for_each_chunk<CsvChunk>(
          plan, text, [&](CsvChunk& chunk) { parse_chunk(plan, keep_ids, chunk); },
          [&](CsvChunk& chunk) {
            const bool more = merger.merge(chunk);
            rows.append(chunk.rows.data(), chunk.count);
            return more;
          });
    }
  } catch (const ParseFault& fault) {
    seen.fault = fault;
  }
  return seen;
}

}  // namespace induce::detail
