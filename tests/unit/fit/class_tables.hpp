// Tables with many classes, for the tests of fit().
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include <induce/fit.hpp>
#include <induce/metrics.hpp>

#include "linalg/random.hpp"

namespace induce::testing {

struct ClassTable {
  std::vector<double> x;
  std::vector<int> y;
  std::size_t d, classes;

  TableView view() const { return {x.data(), y.size(), d}; }
  Names names() const {
    Names named;
    named.classes.clear();
    for (std::size_t c = 0; c < classes; ++c) named.classes.push_back("class " + std::to_string(c));
    return named;
  }
  Fit fit(const Options& options, std::span<const double> weights = {}) const {
    return induce::fit(view(), y, options, weights, names());
  }
  Metrics metrics(const Model& model) const {
    return evaluate(model.predict(view()).probabilities, y, classes);
  }
};

// Clusters on a circle of radius 3, in turn; their spread is the standard deviation of a feature.
inline ClassTable clusters(std::size_t n, std::size_t classes, double spread, std::uint64_t seed = 1) {
  Random random(seed);
  ClassTable made{{}, {}, 2, classes};
  for (std::size_t i = 0; i < n; ++i) {
    const double angle = 6.283185307179586 * static_cast<double>(i % classes) / static_cast<double>(classes);
    made.x.push_back(3 * std::cos(angle) + spread * random.normal());
    made.x.push_back(3 * std::sin(angle) + spread * random.normal());
    made.y.push_back(static_cast<int>(i % classes));
  }
  return made;
}

// Few iterations of one model.
inline Options brief_options(std::size_t m, int max_iter = 0) {
  Options options;
  options.inducing = m;
  options.kernel = "se";
  options.warp = Warp::none;
  options.threads = 2;
  options.max_iter = max_iter;
  return options;
}

}  // namespace induce::testing
