// A hash of bytes, to tell damage and mix-ups: CRC-64, which finds every change of up to 64 bits in a row.
// It is no seal: whoever changes a file on purpose can change its hash too.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace induce {

// Of these bytes after others whose hash is `so_far`.
std::uint64_t content_hash(std::string_view bytes, std::uint64_t so_far = 0);

// 16 hexadecimal digits.
std::string hash_text(std::uint64_t hash);

}  // namespace induce
