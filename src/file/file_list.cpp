// See file_list.hpp.
#include "file/file_list.hpp"

#include <algorithm>
#include <filesystem>

#include <glob.h>

#include <induce/error.hpp>

namespace induce::detail {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> files_in(const std::string& folder) {
  std::error_code error;
  std::vector<std::string> files;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    std::error_code unknown;
    if (name[0] != '.' && name[0] != '_' && entry->is_regular_file(unknown))
      files.push_back(entry->path().string());
  }
  if (error) throw data_error("the folder '" + folder + "' cannot be read: " + error.message());
  if (files.empty())
    throw data_error("the folder '" + folder +
                     "' has no files, apart from those whose names start with '.' or '_'");
  return files;
}

std::vector<std::string> files_like(const std::string& pattern) {
  glob_t found{};
  std::vector<std::string> files;
  std::error_code unknown;
  if (::glob(pattern.c_str(), GLOB_NOSORT, nullptr, &found) == 0)
    for (std::size_t k = 0; k < found.gl_pathc; ++k)
      if (fs::is_regular_file(found.gl_pathv[k], unknown)) files.emplace_back(found.gl_pathv[k]);
  ::globfree(&found);
  if (files.empty()) throw data_error("no file matches '" + pattern + "'");
  return files;
}

}  // namespace

std::vector<std::string> list_files(const std::vector<std::string>& given) {
  std::vector<std::string> all;
  for (const std::string& name : given) {
    std::error_code unknown;
    std::vector<std::string> files{name};
    if (fs::is_directory(name, unknown))
      files = files_in(name);
    else if (name != "-" && !fs::exists(name, unknown) && name.find_first_of("*?[") != std::string::npos)
      files = files_like(name);
    std::sort(files.begin(), files.end());
    all.insert(all.end(), files.begin(), files.end());
  }
  return all;
}

}  // namespace induce::detail
