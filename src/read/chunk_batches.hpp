// Chunks of text are read by one thread while others parse the batch of chunks before.
#pragma once

#include <array>
#include <cstddef>
#include <future>
#include <optional>
#include <utility>
#include <vector>

#include "read/table_text.hpp"
#include "machine/workers.hpp"

namespace induce::detail {

// Calls parse(chunk) for all chunks, in parallel, and merge(chunk) in order; if that returns false, the rest is not read.
// Chunk is a TextChunk. Throws the ParseFault of a text that cannot be cut into chunks.
template <class Chunk, class Parse, class Merge>
void for_each_chunk(const ReadPlan& plan, TableText& text, const Parse& parse, const Merge& merge) {
  Workers workers(plan.options.threads);
  const std::size_t together = 2 * static_cast<std::size_t>(workers.size());
  struct Batch {
    std::vector<Chunk> chunks;
    std::size_t count = 0;
    std::optional<ParseFault> fault;  // of the text after them
  };
  std::array<Batch, 2> batches;
  const auto read = [&](Batch& batch) {
    batch.chunks.resize(together);
    batch.count = 0;
    try {
      while (batch.count < together && text.take(batch.chunks[batch.count])) ++batch.count;
    } catch (const ParseFault& fault) {
      batch.fault = fault;
    }
  };
  Batch *now = &batches[0], *next = &batches[1];
  read(*now);
  while (now->count > 0 || now->fault) {
    std::future<void> reading;
    const bool last = now->count < together;
    if (!last) reading = std::async(std::launch::async, [&, next] { read(*next); });
    workers.run(static_cast<Index>(now->count),
                [&](Index k, int /*worker*/) { parse(now->chunks[static_cast<std::size_t>(k)]); });
    for (std::size_t k = 0; k < now->count; ++k)
      if (!merge(now->chunks[k])) return;
    if (now->fault) throw *now->fault;
    if (last) return;
    reading.get();
    std::swap(now, next);
  }
}

}  // namespace induce::detail
