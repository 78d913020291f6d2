// See content_hash.hpp.
#include "file/content_hash.hpp"

#include <lzma.h>

namespace induce::detail {

std::uint64_t content_hash(std::string_view bytes, std::uint64_t so_far) {
  return lzma_crc64(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size(), so_far);
}

std::string hex_of_hash(std::uint64_t hash) {
  std::string text(hash_digits, '0');
  for (std::size_t i = hash_digits; i-- > 0; hash >>= 4) text[i] = "0123456789abcdef"[hash & 15];
  return text;
}

}  // namespace induce::detail
