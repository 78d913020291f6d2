// Recomputes the hash of a mutated file, so that the code behind the hash check is fuzzed too.
#pragma once

#include <string>

#include "file/content_hash.hpp"

namespace induce::fuzz {

inline std::string with_valid_hash(std::string bytes) {
  const std::string opening = "\"content_hash\":\"";
  const std::size_t found = bytes.find(opening), digits = found + opening.size();
  if (found == std::string::npos || bytes.size() - digits < hash_digits) return bytes;
  bytes.replace(digits, hash_digits, hash_digits, '0');
  return bytes.replace(digits, hash_digits, hex_of_hash(content_hash(bytes)));
}

}  // namespace induce::fuzz
