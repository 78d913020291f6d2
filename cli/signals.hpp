// What happens on Ctrl-C, on a request to end, and on a closed terminal.
#pragma once

namespace induce::cli {

// For the whole program: a deadly signal removes temporary files before it ends the program.
void install_signal_handlers();

// While one of these lives, the first signal only asks for an end: the fit stops within its iteration
// and the best model is written. A second one ends the program at once.
class StopOnSignal {
 public:
  explicit StopOnSignal(bool quiet);
  ~StopOnSignal();
  StopOnSignal(const StopOnSignal&) = delete;
  StopOnSignal& operator=(const StopOnSignal&) = delete;

  bool requested() const;
};

}  // namespace induce::cli
