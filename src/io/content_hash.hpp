// A hash of bytes that tells a damaged file from a whole one and one table from another: CRC-64, as .xz files
// have it. Every damage within 64 bits in a row is seen, other damage but once in 2^64. It proves nothing
// about who wrote the bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace induce {

// Of the bytes hashed so far and these.
std::uint64_t content_hash(std::string_view bytes, std::uint64_t so_far = 0);

inline constexpr std::size_t hash_digits = 16;
std::string hex_of_hash(std::uint64_t hash);  // hash_digits of 0-9 and a-f

}  // namespace induce
