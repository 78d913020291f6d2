// See read.hpp.
#include "read/read.hpp"

#include <deque>

#include "read/raw_table.hpp"

namespace induce {
namespace {

Dataset read_sources(std::vector<Source> files, const ReadOptions& options) {
  std::deque<std::string> held;  // what can be read only once
  for (Source& file : files) {
    file.encoding = options.encoding;
    if (opens_again(file)) continue;
    held.push_back(all_bytes(file));
    file = Source(file.path, held.back());
  }
  const ReadPlan plan = plan_reading(std::move(files), options);
  try {
    return RawTable(plan, RawRows()).all_rows();
  } catch (const ParseFault& fault) {
    plan.report(fault);
  }
}

}  // namespace

Dataset parse_dataset(std::string_view text, const std::string& path, const ReadOptions& options) {
  return read_sources({Source(path, text)}, options);
}

Dataset read_dataset(const std::string& path, const ReadOptions& options) {
  return read_sources({Source(path)}, options);
}

Dataset read_dataset(const std::vector<std::string>& paths, const ReadOptions& options) {
  return read_sources({paths.begin(), paths.end()}, options);
}

}  // namespace induce
