// The name of the machine that this process runs on, for messages.
#pragma once

#include <string>

#include <unistd.h>

namespace induce::detail {

inline std::string machine_name() {
  char name[256] = {};
  return ::gethostname(name, sizeof name - 1) == 0 ? name : "";
}

}  // namespace induce::detail
