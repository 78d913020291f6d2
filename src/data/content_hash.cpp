#include "data/content_hash.hpp"

#include <cstdio>

#include <lzma.h>

namespace induce {

std::uint64_t content_hash(std::string_view bytes, std::uint64_t so_far) {
  return lzma_crc64(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size(), so_far);
}

std::string hash_text(std::uint64_t hash) {
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(hash));
  return digits;
}

}  // namespace induce
