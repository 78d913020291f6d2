// Messages on standard error.
#pragma once

#include <string_view>

namespace induce::cli {

// If nobody reads (a stuck terminal, a full pipe), waits at most two seconds and then drops the line. Does not
// allocate: memory may be exhausted.
void notice(std::string_view line) noexcept;

}  // namespace induce::cli
