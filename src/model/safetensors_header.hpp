// The JSON header of a safetensors file,
//   {"__metadata__": {key: text, ...}, name: {"dtype": "F64", "shape": [...], "data_offsets": [begin, end]},
//   ...}
// and nothing else: no type but F64, no other fields, no duplicate names. The numbers of entries are limited,
// so a header takes no more memory than a few times its own length.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace induce::detail {

inline constexpr std::size_t max_header_bytes = 100'000'000;  // the limit of other safetensors readers
inline constexpr std::size_t max_tensors = 1024, max_metadata = 4096, max_dimensions = 8;

struct TensorEntry {
  std::vector<std::size_t> shape;
  std::size_t begin = 0, end = 0;  // bytes, from the end of the header
};

struct SafetensorsHeader {
  std::map<std::string, TensorEntry> tensors;
  std::map<std::string, std::string> metadata;
};

// Throws a JsonFault. Does not validate shapes and offsets.
SafetensorsHeader read_safetensors_header(std::string_view text);

}  // namespace induce::detail
