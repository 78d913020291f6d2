#include "page/packed_numbers.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "page/html.hpp"

namespace induce::detail {
namespace {

std::int64_t largest_of(int bits) { return (std::int64_t{1} << (bits - 1)) - 1; }

}  // namespace

std::string packed_doubles(const std::vector<double>& numbers) {
  std::string bytes;
  for (const double number : numbers) {
    const auto bits = std::bit_cast<std::uint64_t>(number);
    for (int b = 7; b >= 0; --b) bytes += static_cast<char>(bits >> (8 * b) & 0xFF);
  }
  return base64(bytes);
}

int bits_for(double whole) {
  if (whole == 0) return 0;
  int bits = 2;
  while (std::fabs(whole) > static_cast<double>(largest_of(bits))) ++bits;
  return bits;
}

void PackedNumbers::append(std::int64_t whole, int bits) {
  const std::int64_t shifted = whole + largest_of(bits);
  for (int left = bits; left > 0;) {
    const int taken = std::min(left, 6 - bits_);
    left -= taken;
    last_ = last_ << taken | static_cast<unsigned>(shifted >> left & ((1 << taken) - 1));
    bits_ += taken;
    if (bits_ < 6) continue;
    digits_ += base64_digits[last_];
    last_ = 0;
    bits_ = 0;
  }
}

double PackedNumbers::append_multiples(double* numbers, Index count, int bits) {
  const std::int64_t most = largest_of(bits);
  double largest = 0;
  for (Index i = 0; i < count; ++i) largest = std::max(largest, std::fabs(numbers[i]));
  const double unit = largest > 0 ? largest / static_cast<double>(most) : 1;
  for (Index i = 0; i < count; ++i) {
    const std::int64_t whole = std::clamp<std::int64_t>(std::llround(numbers[i] / unit), -most, most);
    append(whole, bits);
    numbers[i] = static_cast<double>(whole) * unit;
  }
  return unit;
}

std::string PackedNumbers::text() const {
  return bits_ == 0 ? digits_ : digits_ + base64_digits[last_ << (6 - bits_)];
}

}  // namespace induce::detail
