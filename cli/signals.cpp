// The handlers only set flags and call async-signal-safe functions: poll, write, unlink, signal, raise and _exit.
// They never block, even if nobody reads stderr.
#include "signals.hpp"

#include <cerrno>
#include <csignal>
#include <string_view>

#include <poll.h>
#include <unistd.h>

#include "internals.hpp"
#include "file/temporary_name.hpp"

namespace induce::cli {
namespace {

volatile std::sig_atomic_t stops_gracefully = 0;
volatile std::sig_atomic_t prints_notice = 0;
volatile std::sig_atomic_t stop_requested = 0;

extern "C" void on_termination(int signal_number) {
  if (stops_gracefully && !stop_requested) {
    stop_requested = 1;
    constexpr std::string_view note =
        "\ninduce: stopping with the best model so far; interrupt again to quit\n";
    pollfd terminal{STDERR_FILENO, POLLOUT, 0};
    const int errno_before = errno;
    if (prints_notice && ::poll(&terminal, 1, 0) == 1 && terminal.revents == POLLOUT) {
      [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, note.data(), note.size());
    }
    errno = errno_before;
    return;
  }
  remove_temporaries();
  ::_exit(128 + signal_number);
}

// A closed pipe ends the program by SIGPIPE, as usual, but removes temporary files first.
extern "C" void on_broken_pipe(int signal_number) {
  remove_temporaries();
  std::signal(signal_number, SIG_DFL);
  std::raise(signal_number);
}

void handle(int signal_number, void (*handler)(int)) {
  struct sigaction action {};
  ::sigaction(signal_number, nullptr, &action);
  if (action.sa_handler == SIG_IGN) return;  // keep it ignored, for nohup
  action = {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  ::sigemptyset(&action.sa_mask);
  ::sigaction(signal_number, &action, nullptr);
}

}  // namespace

void install_signal_handlers() {
  for (const int signal_number : {SIGINT, SIGTERM, SIGHUP}) handle(signal_number, on_termination);
  handle(SIGPIPE, on_broken_pipe);
  std::signal(SIGXFSZ, SIG_IGN);  // exceeding the file size limit becomes an error of write()
}

StopOnSignal::StopOnSignal(bool quiet) {
  prints_notice = !quiet;
  stop_requested = 0;
  stops_gracefully = 1;
}

StopOnSignal::~StopOnSignal() { stops_gracefully = 0; }

bool StopOnSignal::requested() const { return stop_requested != 0; }

}  // namespace induce::cli
