// See spill_file.hpp.
#include "read/spill_file.hpp"

#include <algorithm>
#include <cstring>

namespace induce::detail {
namespace {

constexpr std::size_t piece = std::size_t{8} << 20;  // bytes that are written at once

}  // namespace

void SpilledRows::clear() {
  written_ = 0;
  pending_.clear();
  file_.clear();
}

void SpilledRows::write(const double* from, std::size_t count) {
  pending_.insert(pending_.end(), from, from + count * width());
  if (pending_.size() * sizeof(double) >= piece) flush();
}

void SpilledRows::flush() {
  file_.write(written_, pending_.data(), pending_.size() * sizeof(double));
  written_ += pending_.size() * sizeof(double);
  pending_.clear();
}

void SpilledRows::read(std::size_t first, std::size_t count, double* to) {
  const std::size_t row_bytes = width() * sizeof(double), wanted = count * row_bytes;
  const std::uint64_t at = first * row_bytes;
  file_.expect(at + wanted, wanted);
  const auto from_file =
      at < written_ ? static_cast<std::size_t>(std::min<std::uint64_t>(wanted, written_ - at)) : 0;
  file_.read(at, to, from_file);
  if (from_file == wanted) return;  // the rest is not written yet
  std::memcpy(reinterpret_cast<char*>(to) + from_file,
              reinterpret_cast<const char*>(pending_.data()) + (at + from_file - written_),
              wanted - from_file);
}

}  // namespace induce::detail
