#include "optim/line_search.hpp"

#include <algorithm>
#include <cmath>

namespace induce::detail {
namespace {

constexpr double enough_fall = 1e-3, enough_slope = 0.9;
constexpr double least_longer = 1.1, most_longer = 4;  // how much farther than the last time
constexpr double narrow_enough = 0.1;                  // width of the interval relative to its end
constexpr double shrink = 0.66;                        // of the interval in two steps at least
constexpr double back_from_nowhere = 0.1;              // of the step that led to a value that is not finite

}  // namespace

LineSearch::LineSearch(double value, double slope, double first, double longest)
    : start_{0, value, slope},
      longest_(longest),
      step_(std::min(first, longest)),
      high_((1 + most_longer) * step_),
      width_(longest),
      width_before_(2 * longest),
      best_(start_),
      other_(start_) {}

// The minimum of the cubic with these values and slopes.
double LineSearch::cubic_minimum(const Point& a, const Point& b) {
  const double u = a.slope + b.slope - 3 * (a.f - b.f) / (a.t - b.t);
  const double scale = std::max({std::abs(u), std::abs(a.slope), std::abs(b.slope)});
  const double radicand = (u / scale) * (u / scale) - (a.slope / scale) * (b.slope / scale);
  const double v = std::copysign(scale * std::sqrt(std::max(0.0, radicand)), b.t - a.t);
  return b.t - (b.t - a.t) * (b.slope + v - u) / (b.slope - a.slope + 2 * v);
}

// p is the step tried last; best_ and other_ are from before it.
double LineSearch::next(const Point& p) const {
  const Point& x = best_;
  if (!std::isfinite(p.f)) return x.t + back_from_nowhere * (p.t - x.t);
  if (p.f > x.f) {  // higher: the minimum is in between
    const double cubic = cubic_minimum(x, p);
    const double parabola = x.t + x.slope / ((x.f - p.f) / (p.t - x.t) + x.slope) / 2 * (p.t - x.t);
    return std::abs(cubic - x.t) < std::abs(parabola - x.t) ? cubic : (cubic + parabola) / 2;
  }
  const double secant = p.t + p.slope / (p.slope - x.slope) * (x.t - p.t);
  if (p.slope * x.slope < 0) {  // lower, and ascends: as well
    const double cubic = cubic_minimum(x, p);
    return std::abs(cubic - p.t) > std::abs(secant - p.t) ? cubic : secant;
  }
  const double far = p.t > x.t ? high_ : low_;
  if (std::abs(p.slope) < std::abs(x.slope)) {  // lower, and flatter: the minimum is beyond
    double cubic = cubic_minimum(x, p);
    if (!((cubic - p.t) * (p.t - x.t) > 0)) cubic = far;
    const bool cubic_nearer = std::abs(cubic - p.t) < std::abs(secant - p.t);
    const double guess = cubic_nearer == bracketed_ ? cubic : secant;
    if (!bracketed_) return std::clamp(guess, low_, high_);
    const double most = p.t + shrink * (other_.t - p.t);
    return p.t > x.t ? std::min(most, guess) : std::max(most, guess);
  }
  if (!bracketed_) return far;
  return std::isfinite(other_.f) ? cubic_minimum(other_, p) : (p.t + other_.t) / 2;
}

void LineSearch::narrow(Point p) {
  step_ = next(p);
  const bool lower = p.f <= best_.f;
  const bool turned = p.slope * best_.slope < 0;
  if (!lower || turned) bracketed_ = true;
  if (!lower) {
    other_ = p;
  } else {
    if (turned) other_ = best_;
    best_ = p;
  }
}

void LineSearch::add(double value, double slope) {
  const Point p{step_, value, slope};
  const double fall = enough_fall * start_.slope, enough = start_.f + p.t * fall;
  const bool fallen = value <= enough;
  if (fallen && slope >= 0) close_ = true;
  if (fallen && (std::abs(slope) <= -enough_slope * start_.slope || (p.t == longest_ && slope <= fall))) {
    best_ = p;
    done_ = true;
    return;
  }
  if (!close_ && value <= best_.f && !fallen) {
    for (Point* each : {&best_, &other_}) *each = {each->t, each->f - each->t * fall, each->slope - fall};
    narrow({p.t, p.f - p.t * fall, p.slope - fall});
    for (Point* each : {&best_, &other_}) *each = {each->t, each->f + each->t * fall, each->slope + fall};
  } else {
    narrow(p);
  }
  if (bracketed_) {
    const double width = std::abs(other_.t - best_.t);
    if (width >= shrink * width_before_) step_ = best_.t + (other_.t - best_.t) / 2;
    width_before_ = width_;
    width_ = width;
    low_ = std::min(best_.t, other_.t);
    high_ = std::max(best_.t, other_.t);
  } else {
    low_ = step_ + least_longer * (step_ - best_.t);
    high_ = step_ + most_longer * (step_ - best_.t);
  }
  step_ = std::clamp(step_, 0.0, longest_);
  const bool stuck = bracketed_ && (step_ <= low_ || step_ >= high_ || high_ - low_ <= narrow_enough * high_);
  done_ = stuck || ++tries_ == most_tries;
}

}  // namespace induce::detail
