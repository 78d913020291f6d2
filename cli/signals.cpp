// See signals.hpp. The handler does only what a handler may: it sets flags, and calls poll, write, unlink,
// signal, raise and _exit. It never waits: nobody may be reading what it says.
#include "signals.hpp"

#include <cerrno>
#include <csignal>
#include <string_view>

#include <poll.h>
#include <unistd.h>

#include "io/temporary_name.hpp"

namespace induce::cli {
namespace {

volatile std::sig_atomic_t waits_for_iteration = 0;
volatile std::sig_atomic_t tells_user = 0;
volatile std::sig_atomic_t stop_requested = 0;

extern "C" void on_end_request(int signal_number) {
  if (waits_for_iteration && !stop_requested) {
    stop_requested = 1;
    constexpr std::string_view note = "\ninduce: stopping with the best model so far; once more to quit\n";
    pollfd terminal{STDERR_FILENO, POLLOUT, 0};
    const int errno_before = errno;
    if (tells_user && ::poll(&terminal, 1, 0) == 1 && terminal.revents == POLLOUT) {
      [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, note.data(), note.size());
    }
    errno = errno_before;
    return;
  }
  remove_temporaries();
  ::_exit(128 + signal_number);
}

// A reader of our output that goes away ends the program as it ends any other: by the signal itself.
extern "C" void on_broken_pipe(int signal_number) {
  remove_temporaries();
  std::signal(signal_number, SIG_DFL);
  std::raise(signal_number);
}

void handle(int signal_number, void (*handler)(int)) {
  struct sigaction action {};
  ::sigaction(signal_number, nullptr, &action);
  if (action.sa_handler == SIG_IGN) return;  // as nohup wants it
  action = {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  ::sigemptyset(&action.sa_mask);
  ::sigaction(signal_number, &action, nullptr);
}

}  // namespace

void install_signal_handlers() {
  for (const int signal_number : {SIGINT, SIGTERM, SIGHUP}) handle(signal_number, on_end_request);
  handle(SIGPIPE, on_broken_pipe);
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error of write(), with a message
}

StopOnSignal::StopOnSignal(bool quiet) {
  tells_user = !quiet;
  stop_requested = 0;
  waits_for_iteration = 1;
}

StopOnSignal::~StopOnSignal() { waits_for_iteration = 0; }

bool StopOnSignal::requested() const { return stop_requested != 0; }

}  // namespace induce::cli
