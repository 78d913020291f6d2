// A place in a list of files, for messages and to tell which of two comes first.
#pragma once

#include <cstdint>

namespace induce::detail {

struct Place {
  std::uint32_t file = 0;    // its number
  std::uint64_t offset = 0;  // bytes of its text before the place, decompressed
  std::uint64_t line = 1;    // from 1

  bool operator<(const Place& other) const {
    return file != other.file ? file < other.file : offset < other.offset;
  }
};

}  // namespace induce::detail
