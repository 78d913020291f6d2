// CRC-64, as in .xz files, to detect damaged files and compare tables. Detects every error burst of up to 64
// bits and misses other errors with probability 2^-64. It does not authenticate the author.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace induce::detail {

// Hash of all bytes so far; `so_far` is the hash of the preceding bytes.
std::uint64_t content_hash(std::string_view bytes, std::uint64_t so_far = 0);

inline constexpr std::size_t hash_digits = 16;
std::string hex_of_hash(std::uint64_t hash);  // hash_digits lower-case hexadecimal digits

}  // namespace induce::detail
