// See read.hpp.
#include "read/read.hpp"

#include "read/raw_table.hpp"

namespace induce {

Dataset read_dataset(const std::vector<std::string>& paths, const ReadOptions& options) {
  return read_table(plan_reading({paths.begin(), paths.end()}, options));
}

Dataset read_dataset(const std::string& path, const ReadOptions& options) {
  return read_dataset(std::vector{path}, options);
}

Dataset parse_dataset(std::string_view text, const std::string& path, const ReadOptions& options) {
  return read_table(plan_reading({Source(path, text)}, options));
}

}  // namespace induce
