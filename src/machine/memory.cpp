// See memory.hpp. The machine reports the memory available without swapping (MemAvailable) and its free swap
// space. A container (cgroup v1 or v2) has a limit; the page cache counts as used but can be reclaimed. The
// limits of its ancestors apply too.
#include "machine/memory.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <optional>
#include <sstream>

namespace induce::detail {
namespace {

// The first number in a file; empty if the file is missing or contains "max".
std::optional<double> number_in(const std::string& path) {
  std::ifstream file(path);
  double value = 0;
  return file >> value ? std::optional(value) : std::nullopt;
}

// The number after `key` in a file of "key number" lines.
std::optional<double> entry_of(const std::string& path, const std::string& key) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string name;
    double value = 0;
    if (words >> name >> value && name == key) return value;
  }
  return std::nullopt;
}

struct GroupFiles {
  const char *folder, *limit, *used, *prefix;
};
constexpr GroupFiles version2{"/sys/fs/cgroup", "/memory.max", "/memory.current", ""};
constexpr GroupFiles version1{"/sys/fs/cgroup/memory", "/memory.limit_in_bytes", "/memory.usage_in_bytes",
                              "total_"};

double available_in_group(const std::string& folder, const GroupFiles& files) {
  const auto limit = number_in(folder + files.limit), used = number_in(folder + files.used);
  if (!limit || !used) return INFINITY;
  double available = *limit - *used;
  for (const char* cache : {"inactive_file", "active_file"})
    available += entry_of(folder + "/memory.stat", files.prefix + std::string(cache)).value_or(0);
  return std::max(available, 0.0);
}

// The group at `path` and all its ancestors. In a container the path may be the host's, which is not visible
// from inside; the container's own group is then the root.
double available_in_groups(const std::string& root, std::string path, const GroupFiles& files) {
  double available = INFINITY;
  for (;; path.erase(path.rfind('/'))) {
    while (path.ends_with('/')) path.pop_back();
    available = std::min(available, available_in_group(root + files.folder + path, files));
    if (path.find('/') == std::string::npos) return available;
  }
}

// Lines are "number:controllers:path"; in version 2 the controllers are empty.
double available_in_container(const std::string& root) {
  double available = INFINITY;
  std::ifstream file(root + "/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const bool v2 = controllers == ",,", v1 = controllers.find(",memory,") != std::string::npos;
    if (v2 || v1)
      available =
          std::min(available, available_in_groups(root, line.substr(second + 1), v2 ? version2 : version1));
  }
  return available;
}

}  // namespace

AvailableMemory available_memory(const std::string& root) {
  AvailableMemory memory;
  const std::string meminfo = root + "/proc/meminfo";  // in KiB
  if (const auto available = entry_of(meminfo, "MemAvailable:"))
    memory.machine = 1024 * (*available + entry_of(meminfo, "SwapFree:").value_or(0));
  memory.machine = std::min(memory.machine, available_in_container(root));

  rlimit limit{};
  const auto pages = number_in(root + "/proc/self/statm");
  if (pages && ::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    memory.address_space = std::max(
        static_cast<double>(limit.rlim_cur) - *pages * static_cast<double>(::sysconf(_SC_PAGE_SIZE)), 0.0);
  return memory;
}

std::string memory_text(double bytes) {
  constexpr double MiB = 1 << 20, GiB = 1 << 30;
  char text[40];
  if (bytes < GiB)
    std::snprintf(text, sizeof text, "%.0f MiB", std::ceil(bytes / MiB));
  else
    std::snprintf(text, sizeof text, "%.1f GiB", bytes / GiB);
  return text;
}

}  // namespace induce::detail
