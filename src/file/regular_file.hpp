// Reads a file whose size is known in advance, so that memory use is bounded by the actual file size. Rejects
// directories, pipes and devices, which have no size (some never end), and files that change while being
// read.
#pragma once

#include <string>

namespace induce::detail {

// Throws a data Error that names the file.
std::string regular_file_bytes(const std::string& path);

}  // namespace induce::detail
