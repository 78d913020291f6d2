#include "optim/lbfgsb.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "optim/curvature.hpp"
#include "optim/line_search.hpp"
#include "optim/quadratic_step.hpp"

namespace induce::detail {
namespace {

constexpr const char* vanishes = "the projected gradient vanishes";
constexpr double longest_step = 1e10;  // without bounds, relative to the minimum of the model

// How far one can go from x along d within the box.
double longest_along(const Box& box, const Vector& x, const Vector& d) {
  double longest = longest_step;
  for (Index i = 0; i < x.size(); ++i)
    if (d[i] != 0) longest = std::min(longest, (box.ahead(i, d[i]) - x[i]) / d[i]);
  return longest;
}

class Lbfgsb {
 public:
  Lbfgsb(const Objective& objective, const Vector& start, Box box, const LbfgsbSettings& settings)
      : objective_(objective), settings_(settings), box_(std::move(box)), B_(settings.memory) {
    here_.x = best_.x = box_.nearest(start);
    best_.value = -std::numeric_limits<double>::infinity();
  }

  Optimum run() {
    for (bool running = starts(); running;) running = iterate() && continues();
    return std::move(best_);
  }

 private:
  struct Place {
    Vector x, g;
    double f = 0;  // the objective, negated; g is its gradient
  };

  bool end(const char* message) {
    best_.message = message;
    return false;
  }

  bool converged(const char* message) {
    best_.converged = true;
    return end(message);
  }

  bool stuck() {
    best_.stuck = true;
    return end("the line search finds nothing better");
  }

  bool starts() {
    if (!evaluate(here_)) return false;
    if (!std::isfinite(here_.f)) return end("the objective is not finite at the start");
    return flat() ? converged(vanishes) : true;
  }

  // False if there must be no more evaluations.
  bool evaluate(Place& place) {
    if (best_.evaluations >= settings_.max_evaluations) return end("evaluation budget spent");
    if (best_.evaluations > 0 && settings_.must_stop && settings_.must_stop())
      return end("stopped by the caller");
    place.g.resize(place.x.size());
    const double value = objective_(place.x, place.g);
    ++best_.evaluations;
    if (std::isfinite(value) && place.g.allFinite()) {
      place.f = -value;
      place.g = -place.g;
      if (value > best_.value) {
        best_.value = value;
        best_.x = place.x;
      }
    } else {
      place.f = std::numeric_limits<double>::infinity();
      place.g.setZero();
    }
    return true;
  }

  // Moves to a better point. If there is none, the pairs are forgotten, and after that the optimizer is stuck.
  bool iterate() {
    for (;; B_.clear()) {
      const std::optional<Vector> z = minimize_quadratic(B_, box_, here_.x, here_.g);
      if (z) {
        const Vector d = *z - here_.x;
        Place found;
        if (!search(d, found)) return false;
        if (found.x.size() > 0) {
          move(std::move(found));
          return true;
        }
      }
      if (B_.empty()) break;
    }
    return stuck();
  }

  // Leaves `found` empty if nothing is better. False if it had to stop.
  bool search(const Vector& d, Place& found) {
    const double slope = here_.g.dot(d);
    if (!(slope < 0)) return true;
    const bool anywhere = B_.empty() && !box_.bounded();  // no pairs and no bounds limit the step
    const double first = anywhere ? std::min(1.0, 1 / d.norm()) : 1;
    LineSearch line(here_.f, slope, first, longest_along(box_, here_.x, d));
    Place trial;
    while (!line.done()) {
      const double t = line.step();
      trial.x = box_.nearest(here_.x + t * d);
      if (!evaluate(trial)) return false;
      line.add(trial.f, trial.g.dot(d));
      if (line.best() == t) found = trial;
    }
    return line.at_limit() ? stuck() : true;
  }

  void move(Place found) {
    Vector s = found.x - here_.x, y = found.g - here_.g;
    if (s.dot(y) > std::numeric_limits<double>::epsilon() * -here_.g.dot(s))
      B_.add(std::move(s), std::move(y));
    before_ = here_.f;
    here_ = std::move(found);
    ++best_.iterations;
    reported_ = !settings_.on_iteration || settings_.on_iteration(here_.x, -here_.f);
  }

  bool continues() {
    if (!reported_) return end("stopped by the caller");
    if (best_.iterations >= settings_.max_iterations) return end("iteration budget spent");
    if (flat()) return converged(vanishes);
    const double unit = std::max({std::abs(before_), std::abs(here_.f), 1.0});
    if (before_ - here_.f <= settings_.relative_reduction * unit)
      return converged("the objective stopped moving");
    return true;
  }

  bool flat() const {
    return (box_.nearest(here_.x - here_.g) - here_.x).lpNorm<Eigen::Infinity>() <=
           settings_.projected_gradient;
  }

  const Objective& objective_;
  const LbfgsbSettings& settings_;
  Box box_;
  Curvature B_;
  Place here_;
  double before_ = 0;  // f before the last iteration
  bool reported_ = true;
  Optimum best_;
};

}  // namespace

Optimum maximize_lbfgsb(const Objective& objective, const Vector& start, const Vector& lower,
                        const Vector& upper, const LbfgsbSettings& settings) {
  return Lbfgsb(objective, start, {lower, upper}, settings).run();
}

}  // namespace induce::detail
