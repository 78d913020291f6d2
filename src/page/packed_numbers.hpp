// Numbers as text of a page: doubles in base 64, or whole multiples of a unit in b bits, six of which are a digit of base 64. With b
// bits, w is written as w + 2^(b-1) - 1.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "linalg/types.hpp"

namespace induce::detail {

std::string packed_doubles(const std::vector<double>& numbers);  // big-endian, in base 64

int bits_for(double whole);  // 0 for 0

class PackedNumbers {
 public:
  void append(std::int64_t whole, int bits);
  // Rounds the numbers to multiples of the smallest unit that so many bits allow, and appends these. Returns the unit.
  double append_multiples(double* numbers, Index count, int bits);

  std::string text() const;

 private:
  std::string digits_;
  unsigned last_ = 0;  // bits that are no digit yet
  int bits_ = 0;       // how many
};

}  // namespace induce::detail
