// See memory.hpp. The machine tells what it can give without swapping out what runs (MemAvailable) and its
// free swap space. A container (control group, version 1 or 2) has a limit; of what it uses the page cache
// can be had back. Its ancestors have limits too.
#include "rows/memory.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <optional>
#include <sstream>

namespace induce {
namespace {

// The first number of a file; none where there is no file or it says "max".
std::optional<double> number_in(const std::string& path) {
  std::ifstream file(path);
  double value = 0;
  return file >> value ? std::optional(value) : std::nullopt;
}

// The number behind `key` in a file of lines "key number".
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

double room_of_group(const std::string& folder, const GroupFiles& files) {
  const auto limit = number_in(folder + files.limit), used = number_in(folder + files.used);
  if (!limit || !used) return INFINITY;
  double room = *limit - *used;
  for (const char* cache : {"inactive_file", "active_file"})
    room += entry_of(folder + "/memory.stat", files.prefix + std::string(cache)).value_or(0);
  return std::max(room, 0.0);
}

// The group at `path` and all above it. In a container the path may be that of the host, which is not to be
// seen from inside; the container's own group is then the root.
double room_of_groups(const std::string& root, std::string path, const GroupFiles& files) {
  double room = INFINITY;
  for (;; path.erase(path.rfind('/'))) {
    while (path.ends_with('/')) path.pop_back();
    room = std::min(room, room_of_group(root + files.folder + path, files));
    if (path.find('/') == std::string::npos) return room;
  }
}

// Lines "number:controllers:path"; version 2 has no controllers.
double room_of_container(const std::string& root) {
  double room = INFINITY;
  std::ifstream file(root + "/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const bool newer = controllers == ",,", older = controllers.find(",memory,") != std::string::npos;
    if (newer || older)
      room = std::min(room, room_of_groups(root, line.substr(second + 1), newer ? version2 : version1));
  }
  return room;
}

}  // namespace

MemoryRoom memory_room(const std::string& root) {
  MemoryRoom room;
  const std::string meminfo = root + "/proc/meminfo";  // in units of 1024 bytes
  if (const auto available = entry_of(meminfo, "MemAvailable:"))
    room.machine = 1024 * (*available + entry_of(meminfo, "SwapFree:").value_or(0));
  room.machine = std::min(room.machine, room_of_container(root));

  rlimit limit{};
  const auto pages = number_in(root + "/proc/self/statm");
  if (pages && ::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    room.address_space = std::max(
        static_cast<double>(limit.rlim_cur) - *pages * static_cast<double>(::sysconf(_SC_PAGE_SIZE)), 0.0);
  return room;
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

}  // namespace induce
