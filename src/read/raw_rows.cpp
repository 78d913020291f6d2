// See raw_rows.hpp.
#include "read/raw_rows.hpp"

#include <algorithm>

#include "read/lines.hpp"
#include "machine/memory.hpp"

namespace induce::detail {
namespace {

constexpr std::size_t block_bytes = std::size_t{4} << 20;

}  // namespace

std::size_t RowsInMemory::block_rows() const {
  return std::max<std::size_t>(1, block_bytes / (sizeof(double) * std::max<std::size_t>(1, width())));
}

void RowsInMemory::write(const double* from, std::size_t count) {
  const std::size_t size = block_rows();
  for (std::size_t done = 0; done < count;) {
    const std::size_t at = (rows() + done) % size;
    if (at == 0) {
      const double needed = static_cast<double>(size * width() * sizeof(double)),
                   available = available_memory().least();
      if (needed > available)
        throw ParseFault{nullptr, "a dense table of more than " + std::to_string(rows()) + " rows of " +
                                      std::to_string(width()) + " numbers needs more than the " +
                                      memory_text(available) + " of memory that are left"};
      blocks_.push_back(std::make_unique_for_overwrite<double[]>(size * width()));
    }
    const std::size_t part = std::min(count - done, size - at);
    std::copy_n(from + done * width(), part * width(), blocks_.back().get() + at * width());
    done += part;
  }
}

const double* RowsInMemory::find(std::size_t row, std::size_t& count) const {
  const std::size_t size = block_rows(), at = row % size;
  count = std::min(count, size - at);
  return blocks_[row / size].get() + at * width();
}

void RowsInMemory::read(std::size_t first, std::size_t count, double* to) {
  while (count > 0) {
    std::size_t part = count;
    std::copy_n(find(first, part), part * width(), to);
    to += part * width();
    first += part;
    count -= part;
  }
}

void RowsInMemory::release(std::size_t before) {
  for (std::size_t block = 0; block < std::min(before / block_rows(), blocks_.size()); ++block)
    blocks_[block].reset();
}

}  // namespace induce::detail
