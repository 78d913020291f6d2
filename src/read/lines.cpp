// See lines.hpp.
#include "read/lines.hpp"

#include <algorithm>
#include <cstdint>

#include "machine/memory.hpp"
#include "machine/workers.hpp"

namespace induce::detail {

std::size_t count_newlines(std::string_view text) {
  std::size_t sum = 0;
  while (!text.empty()) {
    const std::string_view some =
        text.substr(0, 255);  // as many as a byte can count: many bytes are added at once
    std::uint8_t count = 0;
    for (const char c : some) count = static_cast<std::uint8_t>(count + (c == '\n' ? 1 : 0));
    sum += count;
    text.remove_prefix(some.size());
  }
  return sum;
}

std::size_t line_of(std::string_view text, const char* at) {
  return 1 + count_newlines(text.substr(0, static_cast<std::size_t>(at - text.data())));
}

std::vector<std::string_view> split_at_newlines(std::string_view text, int threads) {
  constexpr std::size_t smallest_chunk = std::size_t{1}
                                         << 18;  // below this a thread costs more than it saves
  const std::size_t wanted =
      4 *
      static_cast<std::size_t>(threads > 0 ? threads : available_cores());  // several each, for load balance
  const std::size_t chunk_size = std::max(smallest_chunk, text.size() / wanted + 1);
  std::vector<std::string_view> chunks;
  while (!text.empty()) {
    std::size_t length = text.size();
    if (chunk_size < text.size()) {
      const std::size_t newline = text.find('\n', chunk_size - 1);
      if (newline != std::string_view::npos) length = newline + 1;
    }
    chunks.push_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return chunks;
}

RowMatrix allocate_table(std::size_t n, std::size_t d) {
  const double bytes = static_cast<double>(n) * static_cast<double>(d) * sizeof(double);
  const double available = available_memory().least();
  if (bytes > available)
    throw ParseFault{nullptr, "a dense table of " + std::to_string(n) + " rows and " + std::to_string(d) +
                                  " features needs " + memory_text(bytes) + " of memory, only " +
                                  memory_text(available) + " available"};
  return RowMatrix(static_cast<Index>(n), static_cast<Index>(d));
}

}  // namespace induce::detail
