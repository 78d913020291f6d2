// What this machine has, so that sizes nobody can mean are refused before they are allocated.
#pragma once

#include <unistd.h>

namespace induce {

inline double machine_memory() {  // bytes
  return static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGE_SIZE));
}

}  // namespace induce
