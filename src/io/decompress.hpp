// The bytes of a file as the parsers want them: all in memory and decompressed.
#pragma once

#include <string>

namespace induce {

// "standard input" for "-", else the path in quotes: how messages name a file.
std::string name_of_file(const std::string& path);

// Reads the whole of a file, a pipe or ("-") standard input. gzip, bzip2 and xz are known by their first
// bytes, whatever the file's name, and may consist of several members. Throws an Error that says what is
// wrong.
std::string file_bytes(const std::string& path);

}  // namespace induce
