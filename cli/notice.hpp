// Lines on standard error.
#pragma once

#include <string_view>

namespace induce::cli {

// Nobody may be reading there (a stuck terminal, a full pipe): waits two seconds at most, then the line is
// lost. Takes nothing from the heap, which may have nothing left.
void notice(std::string_view line) noexcept;

}  // namespace induce::cli
