// The line is cut to the width of the terminal, because a wrapped line cannot be rewritten with \r, and drawn at
// most ten times a second. A blocked terminal (Ctrl-S) must not block the fit, so the terminal is opened again in
// non-blocking mode and output that it does not accept is dropped.
#include "progress.hpp"

#include <cmath>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "internals.hpp"
#include "text/format.hpp"

namespace induce::cli {
namespace {

std::size_t terminal_width() {
  winsize size{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

}  // namespace

ProgressLine::ProgressLine(std::string method, bool quiet)
    : method_(std::move(method)), visible_(!quiet && ::isatty(STDERR_FILENO)) {
  if (!visible_) return;
  terminal_ = ::open("/proc/self/fd/2", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

void ProgressLine::show(std::string_view what) {
  if (visible_) rewrite(method_ + "  " + std::string(what));
}

ProgressLine::~ProgressLine() {
  clear();
  if (terminal_ >= 0) ::close(terminal_);
}

void ProgressLine::show(const Progress& progress) {
  const auto now = std::chrono::steady_clock::now();
  if (!visible_ || now < next_) return;
  next_ = now + std::chrono::milliseconds(100);
  std::string text = method_ + "  stage " + std::to_string(progress.now.stage + 1) + ": " +
                     counted(progress.now.rows, "row") + ", m " + std::to_string(progress.now.m) +
                     "  iteration " + std::to_string(progress.iteration) + "  bound " +
                     fixed(progress.now.bound, 2) + "  " + fixed(progress.now.seconds, 1) + " s";
  if (std::isfinite(progress.seconds_left))
    text += ", about " + readable(progress.seconds_left, 2) + " s left";
  if (progress.rows_per_second > 0) text += "  " + readable(progress.rows_per_second, 2) + " rows/s";
  if (progress.shards > 1)
    text += "  " + counted(static_cast<std::size_t>(progress.shards), "shard") + ", imbalance " +
            fixed(progress.shard_imbalance, 2);
  if (std::isfinite(progress.gain)) text += "  last stage gained " + readable(progress.gain, 2) + " per row";
  rewrite(text);
}

void ProgressLine::rewrite(const std::string& text) {
  put("\r\x1b[K" + text.substr(0, terminal_width() - 1));
  drawn_ = true;
}

// Polls first: if the terminal could not be reopened (it belongs to another user), the write may block.
void ProgressLine::put(std::string_view text) const {
  pollfd terminal{terminal_ >= 0 ? terminal_ : STDERR_FILENO, POLLOUT, 0};
  if (::poll(&terminal, 1, 0) != 1 || terminal.revents != POLLOUT) return;
  [[maybe_unused]] const ssize_t written = ::write(terminal.fd, text.data(), text.size());
}

void ProgressLine::clear() {
  if (!std::exchange(drawn_, false)) return;
  put("\r\x1b[K");
}

}  // namespace induce::cli
