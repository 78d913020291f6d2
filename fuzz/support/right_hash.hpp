// No mutation keeps a file's hash right. So that what lies behind that check is tried too, it is made right.
#pragma once

#include <string>

#include "io/content_hash.hpp"

namespace induce::fuzz {

inline std::string with_right_hash(std::string bytes) {
  const std::string opening = "\"content_hash\":\"";
  const std::size_t found = bytes.find(opening), digits = found + opening.size();
  if (found == std::string::npos || bytes.size() - digits < hash_digits) return bytes;
  bytes.replace(digits, hash_digits, hash_digits, '0');
  return bytes.replace(digits, hash_digits, hex_of_hash(content_hash(bytes)));
}

}  // namespace induce::fuzz
