// Messages between processes of a fit: the first bytes say what is read, in which order; whatever follows, it is read within its
// bytes or refused. What an answer means is not checked: peers are trusted (SECURITY.md).
#include <cstdint>

#include "shard/message.hpp"
#include "shard/wire_table.hpp"
#include "support/require.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace induce;
  constexpr std::size_t reads = 6;
  if (size < reads) return 0;
  MessageReader in({reinterpret_cast<const char*>(data) + reads, size - reads});
  try {
    for (std::size_t k = 0; k < reads; ++k) {
      const std::size_t before = in.rest().size();
      std::vector<double> room(data[k] / 16);
      OwnedRows rows;
      switch (data[k] % 10) {
        case 0:
          in.number();
          break;
        case 1:
          in.count();
          break;
        case 2:
          fuzz::require(in.text().size() <= before, "a text is part of its message");
          break;
        case 3:
          fuzz::require(static_cast<std::size_t>(in.vector().size()) <= before / 8,
                        "so are the numbers of a vector");
          break;
        case 4:
          fuzz::require(static_cast<std::size_t>(in.matrix().size()) <= before / 8, "and of a matrix");
          break;
        case 5:
          in.runs(room);
          break;
        case 6:
          in.numbers(room);
          break;
        case 7:
          fuzz::require(in.counts().size() <= before / 8, "and counts");
          break;
        case 8:
          read_rows(in, rows);
          break;
        default:
          read_facts(in);
          break;
      }
      fuzz::require(in.rest().size() <= before, "reading goes forwards");
    }
  } catch (const Error&) {
  }
  return 0;
}
