// The results of a fit, described once: `describe(record, visit)` calls visit(Field, value) for each field. The JSON
// summary, the trace, Python's report and docs/reference.md are visitors, so a new field of Report is a member and a
// line here.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include <induce/report.hpp>

namespace induce {

struct Field {
  std::string_view name;
  std::string_view unit;  // empty: none
  std::string_view meaning;
};

// Values that JSON and Python write in different ways.
struct Bytes {  // JSON: <name>_mb; Python: <name>_bytes
  std::size_t count = 0;
};
struct PerFeature {  // JSON: sorted, each with the feature's name; Python: an array
  const std::vector<double>& values;
};
struct History {  // JSON: the trace, a line each; Python: a dict of arrays
  const std::vector<Iteration>& iterations;
};

// A parameter that theta may have.
struct ParameterWords {
  Field field;
  std::string_view label;     // on the terminal
  std::string_view absent{};  // what 0 means, if it means that there is none
};
std::span<const ParameterWords> known_parameters();
ParameterWords words_of(const Parameter& parameter);  // its name alone, if it is not known

template <class Visit>
void describe(const Metrics& metrics, Visit&& visit) {
  visit(Field{"n", "rows", "rows, or the sum of their weights, rounded"}, metrics.n);
  visit(Field{"accuracy", "", "share of right labels; p = 1/2 exactly is a vote for the first class"},
        metrics.accuracy);
  visit(Field{"nll", "nats", "mean of -log p(true class), p clipped to [1e-15, 1 - 1e-15]"}, metrics.nll);
  visit(Field{"brier", "", "mean squared error of the probability"}, metrics.brier);
  visit(Field{"ece", "", "expected calibration error: 15 bins of equal width in p"}, metrics.ece);
  visit(Field{"auc", "", "area under the ROC curve, ties at half; null if a class is absent"}, metrics.auc);
}

template <class Visit>
void describe(const Theta& theta, Visit&& visit) {
  for (const Parameter& parameter : theta.parameters) {
    const Field field = words_of(parameter).field;
    if (parameter.per_feature || parameter.values.size() != 1)
      visit(field, parameter.values);
    else
      visit(field, parameter.values[0]);
  }
  visit(Field{"jitter", "", "relative to signal_std^2, as used by the last Cholesky factor"}, theta.jitter);
}

template <class Visit>
void describe(const Iteration& iteration, Visit&& visit) {
  visit(Field{"stage", "", "rows, m or features change between stages"}, iteration.stage);
  visit(Field{"rows", "rows", "rows that the bound is of"}, iteration.rows);
  visit(Field{"m", "", "inducing inputs that the bound is of"}, iteration.m);
  visit(Field{"seconds", "s", "since the start, without the time of callbacks and of testing"},
        iteration.seconds);
  visit(Field{"passes", "", "passes over the rows so far"}, iteration.passes);
  visit(Field{"bound", "nats", "the method's own bound"}, iteration.bound);
  visit(Field{"elbo", "nats", "the true bound, where it was asked for"}, iteration.elbo);
}

template <class Visit>
void describe(const Step& step, Visit&& visit) {
  visit(Field{"rows", "rows", "rows of the stage"}, step.rows);
  visit(Field{"m", "", "inducing inputs of the stage"}, step.m);
  visit(Field{"warp", "", "of the features: none or yeo-johnson"}, step.warp);
  visit(Field{"bound", "nats", "at the end of the stage, of its rows"}, step.bound);
  visit(Field{"seconds", "s", "since the start of the fit"}, step.seconds);
}

template <class Visit>
void describe(const Report& report, Visit&& visit) {
  visit(Field{"method", "", "the method that was used; never auto"}, report.method);
  visit(Field{"status", "", "converged, budget, interrupted or failed"}, report.status);
  visit(Field{"message", "", "how the fit ended, in words"}, report.message);
  visit(Field{"n", "rows", "rows of the data"}, report.n);
  visit(Field{"d", "", "features"}, report.d);
  visit(Field{"m", "", "inducing inputs"}, report.m);
  visit(Field{"rows", "rows", "different rows that took part: all, unless the time was spent before"},
        report.rows);
  visit(Field{"seed", "", "of k-means, minibatches and rows held out"}, report.seed);
  visit(Field{"threads", "", "threads that were used"}, report.threads);
  visit(Field{"seconds", "s", "time of the fit, without callbacks and testing"}, report.seconds);
  visit(Field{"iterations", "", "outer iterations"}, report.iterations);
  visit(Field{"passes", "", "passes over the rows"}, report.passes);
  visit(Field{"kept", "", "n x m arrays that were kept (see the option memory)"}, Bytes{report.kept_bytes});
  visit(Field{"bound", "nats",
              "the method's own bound at the end; vi-newton: elbo and log prior of theta, at most elbo"},
        report.bound);
  visit(Field{"elbo", "nats", "the true bound of the same q, by accurate integration"}, report.elbo);
  visit(Field{"sparsity_price", "nats", "what of the bound is lost to having m inputs"},
        report.sparsity_price);
  visit(Field{"warp", "", "of the features: none or yeo-johnson"}, report.warp);
  visit(Field{"ladder", "", "how rows and inducing inputs grew; empty for the methods that do not grow"},
        report.ladder);
  visit(Field{"relevance", "", "inverse length-scale of each feature in the model's units, 0 where constant"},
        PerFeature{report.relevance});
  visit(Field{"leave_one_out", "", "on the training rows, each without itself; null if interrupted"},
        report.leave_one_out);
  visit(Field{"theta", "", "the kernel's parameters and the mean"}, report.theta);
  visit(Field{"warnings", "", "what the user should know, one text each"}, report.warnings);
  visit(Field{"history", "", "every iteration"}, History{report.history});
}

}  // namespace induce
