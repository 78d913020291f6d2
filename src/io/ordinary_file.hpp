// The bytes of a file whose size is known before it is read, so that memory is bounded by what the file
// really holds. Folders, pipes and devices have no size to know (some never end) and are refused, as is a
// file that grows or shrinks under the reader.
#pragma once

#include <string>

namespace induce {

// Throws a data Error that names the file.
std::string ordinary_file_bytes(const std::string& path);

}  // namespace induce
