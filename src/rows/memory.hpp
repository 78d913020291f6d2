// How much memory this process may still take: of the machine, of its container and of its own limit.
#pragma once

#include <algorithm>
#include <limits>
#include <string>

namespace induce {

struct MemoryRoom {                                          // bytes; infinite where nothing is known
  double machine = std::numeric_limits<double>::infinity();  // what machine and container can still give
  double address_space = std::numeric_limits<double>::infinity();  // what `ulimit -v` leaves

  double least() const { return std::min(machine, address_space); }
};

// `root` goes before every path that is looked at: tests have machines of their own.
MemoryRoom memory_room(const std::string& root = "");

// "41.0 GiB", "320 MiB": for messages.
std::string memory_text(double bytes);

}  // namespace induce
