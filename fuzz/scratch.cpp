// Scratch files of rows. Nobody else can write such a file (it has no name), so what may go wrong is our own: whatever rows come, in
// whatever pieces, the store in files is the store in memory, bit for bit, numbers written to a file are read back, and reading
// beyond its end is an Error.
//
// Byte 0 is the number of columns, byte 1 the rows of a piece; the next eight are reads and writes of a plain scratch file;
// the rest are rows: a byte for the label and the weight, and a byte for each cell, where 255 takes eight more.
#include <unistd.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include <induce/error.hpp>

#include "file/scratch_file.hpp"
#include "store/file_store.hpp"
#include "store/memory_store.hpp"
#include "support/require.hpp"

namespace {

using namespace induce::detail;
using induce::fuzz::require;

// Its own, as the tests run several targets at once: each file looks through its folder.
const std::string& folder() {
  static const struct Folder {
    Folder() { std::filesystem::create_directory(path); }
    ~Folder() { std::filesystem::remove_all(path); }
    std::string path =
        std::filesystem::temp_directory_path() / ("induce-fuzz-scratch-" + std::to_string(::getpid()));
  } made;
  return made.path;
}

struct Rows {
  std::size_t d = 0;
  std::vector<double> x, weight;
  std::vector<int> y;
};

// As the readers give them: finite, or the one NaN that is a missing value.
double cell(const std::uint8_t*& at, const std::uint8_t* end) {
  constexpr double gap = std::numeric_limits<double>::quiet_NaN();
  constexpr std::array<double, 8> usual{0, -0.0, gap, 1, -1, 5e-324, -1.7e308, 0.1};
  const std::uint8_t byte = *at++;
  if (byte != 255 || end - at < 8) return byte < usual.size() ? usual[byte] : byte / 4.0;
  double x = 0;
  std::memcpy(&x, at, sizeof x);
  at += sizeof x;
  return std::isfinite(x) ? x : gap;
}

Rows rows_of(std::size_t d, const std::uint8_t* at, const std::uint8_t* end) {
  Rows rows{.d = d, .x = {}, .weight = {}, .y = {}};
  while (static_cast<std::size_t>(end - at) > 9 * d) {  // so that no row is cut
    rows.y.push_back(*at % 3);
    rows.weight.push_back(*at / 3 % 8 / 2.0);
    ++at;
    for (std::size_t f = 0; f < d; ++f) rows.x.push_back(cell(at, end));
  }
  return rows;
}

struct Content {
  std::vector<double> x, label, weight, copies;
  explicit Content(const RowStore& rows)
      : x(static_cast<std::size_t>(rows.n() * rows.columns())),
        label(static_cast<std::size_t>(rows.n())),
        weight(label.size()),
        copies(label.size()) {
    const Index half = rows.n() / 2;
    read(rows, half, rows.n() - half);
    read(rows, 0, half);
  }
  void read(const RowStore& rows, Index first, Index count) {
    rows.read(first, count,
              {.x = x.data() + first * rows.columns(),
               .label = label.data() + first,
               .weight = weight.data() + first,
               .copies = copies.data() + first});
  }
};

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), sizeof(double) * a.size()) == 0);
}

void compare_stores(const Rows& rows, std::size_t piece) {
  std::vector<Index> order(rows.d);
  std::iota(order.rbegin(), order.rend(), Index{0});
  Workers workers(1);
  const MemoryStore memory({rows.x.data(), rows.y.size(), rows.d}, rows.y, rows.weight, order, workers);
  FileStore file(static_cast<Index>(rows.d), order, folder(), rows.y.size());
  for (std::size_t i = 0; i < rows.y.size(); i += piece)
    file.add(&rows.x[i * rows.d], static_cast<Index>(std::min(piece, rows.y.size() - i)), &rows.y[i],
             &rows.weight[i]);
  file.finish(workers);
  require(file.leaves().begin == memory.leaves().begin && file.leaves().total == memory.leaves().total,
          "files have the leaves of memory");
  require(file.facts().identity == memory.facts().identity && file.facts().rows == memory.facts().rows &&
              file.facts().class_rows == memory.facts().class_rows &&
              file.facts().most_gaps == memory.facts().most_gaps,
          "and its facts");
  const Content a(file), b(memory);
  require(same_bits(a.x, b.x) && same_bits(a.label, b.label) && same_bits(a.weight, b.weight) &&
              same_bits(a.copies, b.copies),
          "and its rows");
}

// Each byte writes sixteen of its kind at a place it names, or reads what is there.
void compare_bytes(const std::uint8_t* steps, std::size_t count) {
  constexpr std::size_t size = 16;
  ScratchFile file(folder());
  std::vector<std::uint8_t> known;
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t at = steps[k] / 2U;
    std::array<std::uint8_t, size> bytes{};
    if (steps[k] % 2 == 0) {
      bytes.fill(static_cast<std::uint8_t>(k + 1));
      file.write(at, bytes.data(), size);
      known.resize(std::max(known.size(), at + size));
      std::copy(bytes.begin(), bytes.end(), known.begin() + static_cast<std::ptrdiff_t>(at));
      continue;
    }
    const bool is_there = at + size <= known.size();
    try {
      file.read(at, bytes.data(), size);
      require(is_there, "what was not written cannot be read");
      require(std::equal(bytes.begin(), bytes.end(), known.begin() + static_cast<std::ptrdiff_t>(at)),
              "what was written is read");
    } catch (const induce::Error&) {
      require(!is_there, "what was written can be read");
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t steps = 8;
  if (size < 2 + steps) return 0;
  compare_bytes(data + 2, steps);
  const Rows rows = rows_of(1 + data[0] % 5U, data + 2 + steps, data + size);
  if (!rows.y.empty()) compare_stores(rows, 1 + data[1] % 64U);
  return 0;
}
