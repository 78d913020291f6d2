// The files that arguments name: files, folders and patterns.
#pragma once

#include <string>
#include <vector>

namespace induce::detail {

// A folder stands for its regular files whose names do not start with '.' or '_', a name that is no file and has '*', '?' or
// '[' for the regular files that match it as in a shell; both in bytewise order. Anything else stays as it is. Throws a data
// Error that names a folder or pattern without files.
std::vector<std::string> list_files(const std::vector<std::string>& given);

}  // namespace induce::detail
