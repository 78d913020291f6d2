// A progress line on stderr, shown only if stderr is a terminal. Never blocks.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include <induce/report.hpp>

namespace induce::cli {

class ProgressLine {
 public:
  ProgressLine(std::string method, bool quiet);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(std::string_view what);  // before the first iteration
  void show(const Progress& progress);
  void clear();

 private:
  void rewrite(const std::string& text);
  void put(std::string_view text) const;

  std::string method_;
  bool visible_;
  int terminal_ = -1;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point next_;
};

}  // namespace induce::cli
