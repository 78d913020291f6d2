// exp without branches or library calls, so that the compiler can vectorize loops over it.
//
//   exp(x) = 2^k exp(r),   k = round(x / log 2),   r = x - k log 2,   |r| <= log(2)/2
//   exp(r) = 1 + r + r^2 P(r),   P of degree 9, relative error 2e-17 (scripts/exp_polynomial.py)
//
// log 2 is split into a high part of 33 bits, for which k log2_high is exact, and a low part.
// Adding 1.5 * 2^52 rounds to an integer and leaves that integer in the low bits of the sum. This avoids a
// conversion instruction (AVX2 has none for 64 bits). 2^k is applied as 2^h 2^(k - h), h = round(k/2), so
// that neither factor overflows and subnormal results (below 2^-1022) are rounded only once.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "linalg/multiversion.hpp"

namespace induce::detail {

// exp(x) = 2^k exp_r, and k as an integer in the low bits of k_shifted.
struct ExpParts {
  double exp_r, k, k_shifted;
};

inline constexpr double round_shift = 0x1.8p52;
inline constexpr std::uint64_t exponent_of_one = std::uint64_t{1023} << 52;

INDUCE_ALWAYS_INLINE ExpParts exp_parts(double x) {
  constexpr double inverse_log2 = 0x1.71547652b82fep+0;
  constexpr double log2_high = 0x1.62e42fee00000p-1;
  constexpr double log2_low = 0x1.a39ef35793c76p-33;

  const double k_shifted = x * inverse_log2 + round_shift;
  const double k = k_shifted - round_shift;
  const double r = (x - k * log2_high) - k * log2_low;

  // Estrin's scheme: Horner's would be a chain of ten dependent steps.
  const double r2 = r * r;
  const double r4 = r2 * r2;
  const double p01 = 0.5000000000000001 + 0.16666666666666669 * r;
  const double p23 = 0.041666666666624164 + 0.008333333333330065 * r;
  const double p45 = 0.0013888888917196719 + 0.00019841269863040545 * r;
  const double p67 = 2.4801521322368428e-05 + 2.755726848030982e-06 * r;
  const double p89 = 2.7620075880109014e-07 + 2.510037583265786e-08 * r;
  const double p = (p01 + p23 * r2) + r4 * ((p45 + p67 * r2) + p89 * r4);
  const double exp_r = 1.0 + (r + r2 * p);
  return {exp_r, k, k_shifted};
}

// keep_x ? x : limit, in bit operations: GCC compiles `x < low ? low : x` to a branch unless
// -fno-trapping-math is set.
INDUCE_ALWAYS_INLINE double choose(bool keep_x, double x, double limit) {
  const std::uint64_t drop = static_cast<std::uint64_t>(keep_x) - 1;
  return std::bit_cast<double>((std::bit_cast<std::uint64_t>(x) & ~drop) |
                               (std::bit_cast<std::uint64_t>(limit) & drop));
}

// Within 2 units in the last place for every x; 0 below -745.2, infinity above 709.79, NaN stays NaN.
INDUCE_ALWAYS_INLINE double exp_fast(double x) {
  // Beyond these limits the result is 0 or infinity. A NaN fails both comparisons and passes through.
  const bool below = x < -746.0;
  const bool above = x > 710.0;
  const auto [exp_r, k, k_shifted] = exp_parts(choose(!(below | above), x, below ? -746.0 : 710.0));
  const auto k_bits = std::bit_cast<std::uint64_t>(k_shifted);
  const auto half_bits = std::bit_cast<std::uint64_t>(0.5 * k + round_shift);
  const auto first = std::bit_cast<double>((half_bits << 52) + exponent_of_one);
  const auto second = std::bit_cast<double>(((k_bits - half_bits) << 52) + exponent_of_one);
  return exp_r * first * second;
}

// The same for x <= 0, 25% faster: below -708 the result stays at 3e-308 instead of underflowing to 0.
INDUCE_ALWAYS_INLINE double exp_nonpositive(double x) {
  const auto parts = exp_parts(choose(!(x < -708.0), x, -708.0));
  const auto k_bits = std::bit_cast<std::uint64_t>(parts.k_shifted);
  return parts.exp_r * std::bit_cast<double>((k_bits << 52) + exponent_of_one);
}

// x[i] <- exp(x[i])
void exp_inplace(double* x, std::size_t n);

}  // namespace induce::detail
