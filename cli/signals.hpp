// Handling of SIGINT, SIGTERM, SIGHUP and SIGPIPE.
#pragma once

namespace induce::cli {

// Removes temporary files before a signal ends the program.
void install_signal_handlers();

// During its lifetime the first signal only requests a stop: the fit stops within its iteration and the best model
// is written. A second signal ends the program immediately.
class StopOnSignal {
 public:
  explicit StopOnSignal(bool quiet);
  ~StopOnSignal();
  StopOnSignal(const StopOnSignal&) = delete;
  StopOnSignal& operator=(const StopOnSignal&) = delete;

  bool requested() const;
};

}  // namespace induce::cli
