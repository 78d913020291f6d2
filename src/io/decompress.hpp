// Reads a whole file into memory, decompressed.
#pragma once

#include <string>

namespace induce {

// The file's name in messages: "standard input" for "-", otherwise the path in quotes.
std::string name_of_file(const std::string& path);

// Reads a file, a pipe or, for "-", standard input. gzip, bzip2 and xz are detected by their first bytes,
// not by the file name, and may have several members. Throws a data Error.
std::string file_bytes(const std::string& path);

}  // namespace induce
