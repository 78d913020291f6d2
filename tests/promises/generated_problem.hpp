// A small random problem for a fit, with the kinds of difficulty that real data have.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <induce/fit.hpp>

#include "linalg/random.hpp"
#include "kernel/shape.hpp"

namespace induce::testing {

struct GeneratedProblem {
  std::uint64_t seed = 0;
  std::size_t d = 0;
  std::vector<double> x;
  std::vector<int> y;
  std::vector<double> weights;
  Options options;
  // Of make_any only.
  Names names;
  std::vector<int> groups;
  bool in_time = false;
  std::vector<double> successes, trials;  // instead of y, if there are successes

  TableView view() const { return {x.data(), y.size(), d}; }
  Fit fit() const {
    const Groups together{groups, in_time};
    if (!successes.empty())
      return induce::fit(view(), Trials{successes, trials}, options, weights, names, together);
    return induce::fit(view(), y, options, weights, names, together);
  }

  // Description printed by a failure.
  std::string text() const {
    std::ostringstream out;
    out << "INDUCE_SEED=" << seed << ": " << name_of(options.method) << ", n = " << y.size() << ", d = " << d
        << ", m = " << options.inducing << ", " << options.kernel << ", max_iter = " << options.max_iter
        << (options.standardize ? "" : ", not standardised") << (weights.empty() ? "" : ", weights")
        << ", warp " << name_of(options.warp);
    if (names.classes.size() > 2) out << ", " << names.classes.size() << " classes";
    if (!options.likelihood.empty() && options.likelihood != "auto") out << ", " << options.likelihood;
    if (!successes.empty()) out << (trials.empty() ? ", shares" : ", trials");
    if (!groups.empty()) out << (in_time ? ", times" : ", groups");
    for (const Column& column : names.columns)
      out << (&column == &names.columns[0] ? ", " : " ") << name_of(column.kind);
    return out.str();
  }
};

class ProblemGenerator {
 public:
  explicit ProblemGenerator(std::uint64_t seed) : random_(seed) { problem_.seed = seed; }

  GeneratedProblem make(Method method) {
    problem_.options.method = method;
    choose_size();
    choose_options();
    for (std::size_t f = 0; f < problem_.d; ++f) fill_feature(f);
    if (one_in(3)) repeat_rows();
    choose_labels();
    if (one_in(2)) choose_weights();
    return problem_;
  }

  // The default method with any of its kernels, likelihoods, kinds of columns, gaps, classes, trials and groups. make() has all methods.
  GeneratedProblem make_any() {
    const auto most = static_cast<std::uint64_t>(magnitude(1, std::log10(400.0)));
    problem_.d = 1 + random_.below(6);
    problem_.y.resize(2 + random_.below(most - 1));
    problem_.x.resize(n() * problem_.d);
    choose_options();
    problem_.options.max_iter = std::vector{1, 2, 5, 20, 60}[random_.below(5)];
    problem_.options.inducing = one_in(4) ? 0 : 1 + random_.below(std::min<std::uint64_t>(n(), 40));
    problem_.options.effort = one_in(4) ? magnitude(-1, 0.5) : 1;
    problem_.options.trace_elbo = false;
    for (std::size_t f = 0; f < problem_.d; ++f) choose_column(f);
    if (one_in(3)) repeat_rows();
    choose_kernel();
    choose_classes();
    if (one_in(2)) choose_weights();
    if (one_in(5)) choose_groups();
    return problem_;
  }

  // Other rows of the same columns and classes: some like those of the problem, some with values of their own.
  GeneratedProblem make_more(GeneratedProblem problem, std::size_t rows) {
    GeneratedProblem more = problem;
    more.x.clear();
    more.y.clear();
    for (std::size_t i = 0; i < rows; ++i) {
      const std::size_t like = random_.below(problem.y.size());
      for (std::size_t f = 0; f < problem.d; ++f) {
        double value = problem.view().row(one_in(3) ? random_.below(problem.y.size()) : like)[f];
        if (!problem.names.columns[f].has_levels() && one_in(3)) value *= 1 + 0.1 * random_.normal();
        more.x.push_back(one_in(20) ? std::numeric_limits<double>::quiet_NaN() : value);
      }
      more.y.push_back(one_in(2) ? problem.y[like]
                                 : static_cast<int>(random_.below(problem.names.classes.size())));
    }
    return more;
  }

 private:
  bool one_in(std::uint64_t k) { return random_.below(k) == 0; }
  double between(double low, double high) { return low + (high - low) * random_.uniform(); }
  double magnitude(double low, double high) { return std::pow(10.0, between(low, high)); }
  std::size_t n() const { return problem_.y.size(); }
  std::optional<bool> yes_no_or_neither() {
    const auto draw = random_.below(3);
    return draw == 2 ? std::nullopt : std::optional(draw == 1);
  }

  // The general Matern kernels are slow: smaller problems for them.
  void choose_size() {
    const std::vector<std::string>& kernels = example_shapes();
    const bool slow = one_in(8);
    problem_.options.kernel = kernels[slow ? 4 + random_.below(kernels.size() - 4) : random_.below(4)];
    problem_.d = 1 + random_.below(6);
    problem_.y.resize(2 + random_.below(slow ? 15 : 59));
    problem_.x.resize(n() * problem_.d);
    problem_.options.inducing = one_in(4) ? 0 : 1 + random_.below(slow ? std::min<std::size_t>(n(), 5) : n());
    problem_.options.max_iter = slow ? 3 : std::vector{1, 2, 5, 20, 0}[random_.below(5)];
  }

  void choose_options() {
    Options& options = problem_.options;
    options.seed = random_.bits();
    options.ard = yes_no_or_neither();
    options.noise = yes_no_or_neither();
    options.mean = yes_no_or_neither();
    options.learn_inputs = yes_no_or_neither();
    options.standardize = !one_in(5);
    options.warp = options.standardize ? static_cast<Warp>(random_.below(3)) : Warp::none;
    options.trace_elbo = one_in(4);
    options.threads = one_in(8) ? 3 : 1;
    options.memory = one_in(2) ? 0 : 1;  // one byte: nothing is cached
    if (one_in(4)) options.batch = 1 + random_.below(n());
    if (one_in(4)) options.start = {magnitude(-2, 2), magnitude(-1, 2), magnitude(-2, 1)};
  }

  // Units from 1e-150 to 1e150; without standardisation, one shared unit from 1e-45 to 1e45.
  void fill_feature(std::size_t f) {
    const auto kind = random_.below(7);
    const double widest = problem_.options.standardize ? 150 : 45;
    if (f == 0 || problem_.options.standardize) unit_ = one_in(3) ? magnitude(-widest, widest) : 1;
    for (std::size_t i = 0; i < n(); ++i) {
      const double z = random_.normal();
      double value = z;
      if (kind == 1) value = 3.25;                   // constant
      if (kind == 2) value = std::round(z);          // few values
      if (kind == 3) value = z > 0;                  // two values
      if (kind == 4) value = 1e9 + z;                // far from zero
      if (kind == 5) value = std::exp(3 * z);        // heavy tail
      if (kind == 6 && one_in(20)) value = 1e4 * z;  // outliers
      problem_.x[i * problem_.d + f] = unit_ * value;
    }
  }

  void repeat_rows() {
    for (std::size_t i = 0; i < n(); ++i)
      if (one_in(2))
        std::copy_n(&problem_.x[random_.below(n()) * problem_.d], problem_.d, &problem_.x[i * problem_.d]);
  }

  void choose_labels() {
    const auto kind = random_.below(3);
    const double middle = problem_.x[random_.below(n()) * problem_.d];
    for (std::size_t i = 0; i < n(); ++i) {
      if (kind == 0) problem_.y[i] = one_in(2);                            // random
      if (kind == 1) problem_.y[i] = problem_.x[i * problem_.d] > middle;  // separable
      if (kind == 2) problem_.y[i] = 0;  // only one row of class 1, set below
    }
    problem_.y[0] = 0;
    problem_.y[1] = 1;
  }

  void choose_weights() {
    const auto kind = random_.below(3);
    problem_.weights.resize(n());
    for (double& weight : problem_.weights) {
      weight = kind == 0 ? static_cast<double>(random_.below(4)) : kind == 1 ? magnitude(-3, 3) : 1;
      if (one_in(5)) weight = 0;
    }
    const std::size_t classes = std::max<std::size_t>(problem_.names.classes.size(), 2);
    std::fill_n(problem_.weights.begin(), classes, 1);  // the first row of each class
  }

  void choose_column(std::size_t f) {
    static const std::vector<std::string> words = {"*/", "<m>", "a", "b", "c\"d", "e f", "g,h", "ij", "k"};
    Column column;
    const auto kind = random_.below(5);
    fill_feature(f);
    if (kind >= 3) {
      column.kind = kind == 3 ? ColumnKind::category : ColumnKind::boolean;
      column.levels = {"False", "True"};
      if (kind == 3)
        column.levels.assign(words.begin(),
                             words.begin() + 1 + static_cast<long>(random_.below(words.size())));
      for (std::size_t i = 0; i < n(); ++i)  // some fit tables have levels that are not listed
        problem_.x[i * problem_.d + f] =
            static_cast<double>(random_.below(column.levels.size() + (one_in(30) ? 1 : 0)));
    } else if (kind == 2) {
      column.kind = ColumnKind::date;
      for (std::size_t i = 0; i < n(); ++i)
        problem_.x[i * problem_.d + f] =
            20000 + static_cast<double>(random_.below(900)) + (one_in(2) ? 0.25 : 0);
    }
    if (one_in(3)) {
      const std::uint64_t rare = one_in(8) ? 1 : 2 + random_.below(8);  // 1: nothing but gaps
      for (std::size_t i = 0; i < n(); ++i)
        if (one_in(rare)) problem_.x[i * problem_.d + f] = std::numeric_limits<double>::quiet_NaN();
    }
    problem_.names.features.push_back("c" + std::to_string(f));
    problem_.names.columns.push_back(column);
  }

  // Terms may name columns that have two values.
  void choose_kernel() {
    std::vector<std::string> varied;
    for (std::size_t f = 0; f < problem_.d; ++f) {
      std::set<double> values;
      for (std::size_t i = 0; i < n(); ++i)
        if (const double value = problem_.x[i * problem_.d + f]; !std::isnan(value)) values.insert(value);
      if (values.size() > 1) varied.push_back("c" + std::to_string(f));
    }
    const std::vector<std::string>& shapes = example_shapes();
    std::vector<std::string> kernels = {"auto", "auto", shapes[random_.below(4)], shapes[random_.below(4)],
                                        "se+matern32", "matern52+matern12",
                                        // Products of columns in units of 1e40 leave no digits.
                                        problem_.options.standardize ? "se+linear" : "se", "se+matern12"};
    if (!varied.empty()) {
      const std::string& one = varied[random_.below(varied.size())];
      for (const char* terms : {"mains", "mains+pairs", "se+mains", "matern52+mains+pairs", "se+pairs"})
        kernels.emplace_back(terms);
      kernels.push_back("mains:" + one);
      kernels.push_back("se+mains:" + one + (one_in(2) ? "@12" : ""));
      if (const std::string& other = varied[random_.below(varied.size())]; other != one)
        kernels.push_back("se+mains+pairs:" + one + "*" + other);
    }
    if (n() <= 40 && problem_.options.max_iter <= 5)
      kernels.push_back(shapes[4 + random_.below(shapes.size() - 4)]);
    problem_.options.kernel = kernels[random_.below(kernels.size())];
  }

  // Labels by a column, with noise; each class has a row.
  void choose_classes() {
    const std::uint64_t most = std::min<std::uint64_t>(n(), one_in(10) ? 20 : 5);
    const auto classes = one_in(2) ? 2 : 2 + random_.below(most - 1);
    for (std::size_t c = 0; c < classes; ++c) problem_.names.classes.push_back("class " + std::to_string(c));
    const double noise = one_in(3) ? 0 : magnitude(-2, 1);
    const bool rare = one_in(6);
    std::vector<double> f(n());
    for (std::size_t i = 0; i < n(); ++i) {
      const double value = problem_.x[i * problem_.d];
      f[i] = (std::isnan(value) ? 0 : std::atan(value / unit_)) + noise * random_.normal();
    }
    std::vector<double> sorted = f;
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t i = 0; i < n(); ++i) {
      const auto below =
          static_cast<std::size_t>(std::lower_bound(sorted.begin(), sorted.end(), f[i]) - sorted.begin());
      problem_.y[i] = rare ? 0 : static_cast<int>(below * classes / n());
    }
    for (std::size_t c = 0; c < classes; ++c) problem_.y[c] = static_cast<int>(c);
    Options& options = problem_.options;
    const auto kind = random_.below(4);
    if (classes > 2 && kind < 2) options.likelihood = "ordinal";
    if (classes == 2 && kind == 0) options.likelihood = "probit";
    if (options.likelihood == "auto" && one_in(8))
      for (std::size_t c = 0; c < classes; ++c) options.class_weights.push_back(magnitude(-1, 1));
    if (classes > 2 || !one_in(4)) return;
    const bool shares = one_in(2);
    for (std::size_t i = 0; i < n(); ++i) {
      const auto of = static_cast<double>(i < 2 ? 3 : random_.below(6));
      const double hits = problem_.y[i] ? std::ceil(of / 2) : std::floor(of / 3);
      problem_.successes.push_back(shares ? (problem_.y[i] ? 0.75 : 0.125) : hits);
      if (!shares) problem_.trials.push_back(of);
    }
  }

  void choose_groups() {
    problem_.in_time = one_in(2);
    for (std::size_t i = 0; i < n(); ++i)
      problem_.groups.push_back(i < 2 ? static_cast<int>(i) : static_cast<int>(random_.below(2 + n() / 3)));
  }

  Random random_;
  GeneratedProblem problem_;
  double unit_ = 1;
};

inline GeneratedProblem any_problem(std::uint64_t seed) { return ProblemGenerator(seed).make_any(); }

inline GeneratedProblem generated_problem(std::uint64_t seed, Method method) {
  return ProblemGenerator(seed).make(method);
}

}  // namespace induce::testing
