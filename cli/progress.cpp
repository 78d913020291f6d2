// See progress.hpp. The line is cut to the terminal's width, because a line that wraps cannot be
// rewritten with \r, and drawn at most ten times a second, because terminals are slow.
#include "progress.hpp"

#include <cstdio>
#include <utility>

#include <sys/ioctl.h>
#include <unistd.h>

#include "text.hpp"

namespace induce::cli {
namespace {

std::size_t terminal_width() {
  winsize size{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

}  // namespace

ProgressLine::ProgressLine(std::string method, bool quiet)
    : method_(std::move(method)), visible_(!quiet && ::isatty(STDERR_FILENO)) {
  if (visible_) rewrite(method_ + "  starting");
}

void ProgressLine::show(const Progress& progress) {
  const auto now = std::chrono::steady_clock::now();
  if (!visible_ || now < next_) return;
  next_ = now + std::chrono::milliseconds(100);
  std::string text = method_ + "  iteration " + std::to_string(progress.iteration);
  if (progress.max_iter > 0) text += " of at most " + std::to_string(progress.max_iter);
  text += "  bound " + fixed(progress.now.bound, 3) + "  " + fixed(progress.now.seconds, 1) + " s  " +
          grouped(static_cast<unsigned long long>(progress.now.passes)) + " passes";
  rewrite(text);
}

void ProgressLine::rewrite(const std::string& text) {
  std::fprintf(stderr, "\r\x1b[K%s", text.substr(0, terminal_width() - 1).c_str());
  std::fflush(stderr);
  drawn_ = true;
}

void ProgressLine::clear() {
  if (!std::exchange(drawn_, false)) return;
  std::fprintf(stderr, "\r\x1b[K");
  std::fflush(stderr);
}

}  // namespace induce::cli
