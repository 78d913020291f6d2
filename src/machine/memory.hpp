// Memory still available to this process, given the machine, its container and its own limits.
#pragma once

#include <algorithm>
#include <limits>
#include <string>

namespace induce::detail {

struct AvailableMemory {                                           // bytes; infinite if unknown
  double machine = std::numeric_limits<double>::infinity();        // of the machine and the container
  double address_space = std::numeric_limits<double>::infinity();  // below `ulimit -v`

  double least() const { return std::min(machine, address_space); }
};

// `root` is prepended to every path read, so that tests can simulate a machine.
AvailableMemory available_memory(const std::string& root = "");

// For messages: "41.0 GiB", "320 MiB".
std::string memory_text(double bytes);

}  // namespace induce::detail
