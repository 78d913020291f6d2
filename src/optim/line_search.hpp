// The line search of More and Thuente (1994): a step t at which f has fallen enough and its slope f' is flat enough,
//   f(t) <= f(0) + .001 t f'(0)   and   |f'(t)| <= .9 |f'(0)|.
// It keeps an interval between the best step so far and another one, which has such a t inside once `bracketed_`. The next
// step is the minimum of a cubic or a parabola through values and slopes at both ends. Until a step has fallen enough and
// ascends there, it works on f(t) - .001 t f'(0): its minimum is such a t.
#pragma once

#include "linalg/types.hpp"

namespace induce::detail {

class LineSearch {
 public:
  // Value and slope at 0, the first step to try and the longest one that is allowed.
  LineSearch(double value, double slope, double first, double longest);

  double step() const { return step_; }  // to try next
  // What is there; a value that is not finite makes the step shorter.
  void add(double value, double slope);
  bool done() const { return done_; }
  double best() const { return best_.t; }  // among the steps tried; 0: none
  // Done without a step, as rounding hides the slope. (The other reason is too many tries.)
  bool at_limit() const { return done_ && best_.t == 0 && tries_ < most_tries; }

 private:
  struct Point {
    double t = 0, f = 0, slope = 0;
  };
  static constexpr int most_tries = 20;
  static double cubic_minimum(const Point& a, const Point& b);
  void narrow(Point p);
  double next(const Point& p) const;

  const Point start_;
  const double longest_;
  double step_, low_ = 0, high_;  // where the next step may be
  double width_, width_before_;
  Point best_, other_;
  bool bracketed_ = false, close_ = false, done_ = false;
  int tries_ = 0;
};

}  // namespace induce::detail
