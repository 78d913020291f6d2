// The JSON header of a safetensors file,
//   {"__metadata__": {key: text, ...}, name: {"dtype": "F64", "shape": [...], "data_offsets": [begin, end]},
//   ...}
// and nothing else: no other type than F64, no other field, no name twice, and limits on how many there are,
// so that a header takes no more memory than a few times its own length.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace induce {

inline constexpr std::size_t longest_header =
    100'000'000;  // bytes; others who read the layout have this limit too
inline constexpr std::size_t most_tensors = 1024, most_metadata = 4096, most_dimensions = 8;

struct TensorEntry {
  std::vector<std::size_t> shape;
  std::size_t begin = 0, end = 0;  // bytes, from the end of the header
};

struct SafetensorsHeader {
  std::map<std::string, TensorEntry> tensors;
  std::map<std::string, std::string> metadata;
};

// Throws a JsonFault. Shapes and places are as the text has them: nothing is compared with anything yet.
SafetensorsHeader read_safetensors_header(std::string_view text);

}  // namespace induce
