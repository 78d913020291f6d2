// One line on the terminal that says how far a fit is. Nothing at all where stderr is not a terminal.
#pragma once

#include <chrono>
#include <string>

#include <induce/report.hpp>

namespace induce::cli {

class ProgressLine {
 public:
  ProgressLine(std::string method, bool quiet);
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(const Progress& progress);
  void clear();

 private:
  void rewrite(const std::string& text);

  std::string method_;
  bool visible_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point next_;
};

}  // namespace induce::cli
