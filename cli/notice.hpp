// Messages for people. Names of columns, levels and classes come from files: without control characters, they cannot
// tell a terminal what to do.
#pragma once

#include <string>
#include <string_view>

namespace induce::cli {

// Text on standard output.
void say(const std::string& text);
// A line on standard error.
void warn(const std::string& text);

// On standard error, as it is. If nobody reads (a stuck terminal, a full pipe), waits at most two seconds and then drops the line. Does not
// allocate: memory may be exhausted.
void notice(std::string_view line) noexcept;

}  // namespace induce::cli
