// Memory of this process, as counted by the allocator and the system.
#pragma once

#include <malloc.h>
#include <unistd.h>

#include <fstream>
#include <string>

namespace induce::testing {

// Bytes allocated and not yet freed, over all arenas. The allocator's caches are not counted.
inline double allocated_bytes() {
#if defined(INDUCE_SANITIZED) || defined(__SANITIZE_THREAD__)
  return 0;  // a sanitizer has its own allocator
#else
  const struct mallinfo2 info = ::mallinfo2();
  return static_cast<double>(info.uordblks) + static_cast<double>(info.hblkhd);
#endif
}

inline double resident_bytes() {
  double size = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> size >> resident;
  return resident * static_cast<double>(::sysconf(_SC_PAGE_SIZE));
}

// The peak since the last forget_peak(); 0 if the system does not report it.
inline double peak_bytes() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (double kilobytes = 0; word == "VmHWM:" && status >> kilobytes) return 1024 * kilobytes;
  return 0;
}

inline bool forget_peak() {
  std::ofstream file("/proc/self/clear_refs");
  file << "5" << std::flush;
  return static_cast<bool>(file);
}

}  // namespace induce::testing
