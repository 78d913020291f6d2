// Seeded random numbers that are identical for every compiler and standard library. The standard specifies
// the engines of <random> exactly but not its distributions, so the few needed are implemented here. Engine:
// xoshiro256++ (Blackman and Vigna, 2019), seeded by splitmix64 as the authors recommend.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace induce::detail {

// One step of splitmix64. Also used as a hash, and to derive independent seeds from one.
inline std::uint64_t splitmix64(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9e3779b97f4a7c15U);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

class Random {
 public:
  explicit Random(std::uint64_t seed) {
    for (std::uint64_t& word : state_) word = splitmix64(seed);
  }

  // 64 random bits.
  std::uint64_t bits() {
    const std::uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

  // Uniform on [0, 1), a multiple of 2^-53.
  double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }

  // Standard normal, by Marsaglia's polar method; the second number of each pair is kept for the next call.
  double normal() {
    if (has_spare_) {
      has_spare_ = false;
      return spare_;
    }
    double u = 0, v = 0, radius2 = 0;
    do {
      u = 2 * uniform() - 1;
      v = 2 * uniform() - 1;
      radius2 = u * u + v * v;
    } while (radius2 >= 1 || radius2 == 0);
    const double factor = std::sqrt(-2 * std::log(radius2) / radius2);
    spare_ = v * factor;
    has_spare_ = true;
    return u * factor;
  }

  // Uniform on 0 .. n-1 without bias; n must be at least 1.
  std::uint64_t below(std::uint64_t n) {
    const std::uint64_t excess = (0 - n) % n;  // 2^64 mod n; rejecting the draws below it removes the bias
    std::uint64_t draw = bits();
    while (draw < excess) draw = bits();
    return draw % n;
  }

  // Fisher-Yates: every order of the elements is equally likely.
  template <class Sequence>
  void shuffle(Sequence& sequence) {
    using std::swap;
    for (std::size_t left = sequence.size(); left > 1; --left)
      swap(sequence[left - 1], sequence[below(left)]);
  }

 private:
  std::array<std::uint64_t, 4> state_;
  double spare_ = 0;
  bool has_spare_ = false;
};

}  // namespace induce::detail
