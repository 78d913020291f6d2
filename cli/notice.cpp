#include "notice.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <iostream>

#include "text/utf8.hpp"

namespace induce::cli {

void say(const std::string& text) { std::cout << detail::clean_lines(text); }

void warn(const std::string& text) { notice("induce: warning: " + detail::clean(text) + "\n"); }

void notice(std::string_view line) noexcept {
  constexpr int timeout = 2000;       // milliseconds
  constexpr std::size_t chunk = 512;  // bytes that POSIX guarantees a writable pipe accepts without blocking
  for (pollfd out{STDERR_FILENO, POLLOUT, 0}; !line.empty();) {
    if (::poll(&out, 1, timeout) != 1 || out.revents != POLLOUT) return;
    const ssize_t written = ::write(STDERR_FILENO, line.data(), std::min(line.size(), chunk));
    if (written < 0 && errno != EINTR) return;
    if (written > 0) line.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace induce::cli
