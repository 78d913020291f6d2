// One description of the results of a fit: `describe(record, visit)` calls visit(Field, value) for each field.
// The JSON summary, the trace, Python's report and docs/reference.md are visitors, so a new field of Report
// takes a member and a line here.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <induce/model.hpp>
#include <induce/report.hpp>
#include <induce/update.hpp>

namespace induce::detail {

struct Field {
  std::string_view name;
  std::string_view unit;  // empty: none
  std::string_view meaning;
};

// Values that JSON and Python represent differently.
struct Bytes {  // JSON: <name>_mb; Python: <name>_bytes
  std::size_t count = 0;
};
struct PerFeature {  // JSON: sorted, with feature names; Python: an array
  const std::vector<double>& values;
};
struct PerFeatureImportance {  // JSON: sorted by total, with feature names; Python: an array of d rows
  const std::vector<Importance>& values;
};
struct PerTerm {  // sorted by share, with names
  std::vector<TermShare> values;
};
inline PerTerm terms_of(const Model& model) {
  return {model.explanation() ? model.explanation()->terms : std::vector<TermShare>()};
}
struct History {  // JSON: the trace, one line each; Python: a dict of arrays
  const std::vector<Iteration>& iterations;
};

// A parameter that theta may have.
struct ParameterWords {
  Field field;
  std::string_view label;     // on the terminal
  std::string_view absent{};  // what a value of 0 means, if it means "none"
};
std::span<const ParameterWords> known_parameters();
ParameterWords words_of(const Parameter& parameter);  // just the name if unknown

template <class Visit>
void describe(const Metrics& metrics, Visit&& visit) {
  visit({"n", "rows", "number of rows, or the sum of their weights, rounded"}, metrics.n);
  visit({"accuracy", "", "fraction of correct labels; the first of equally probable classes is predicted"},
        metrics.accuracy);
  visit({"nll", "nats", "mean of -log p(true class), p clipped to [1e-15, 1 - 1e-15]"}, metrics.nll);
  visit({"nll_error", "nats",
         "standard error of nll, for rows drawn independently; in held-out figures of a fit with groups, for "
         "groups that are"},
        metrics.nll_error);
  visit(
      {"brier", "", "mean squared error of the probability; with three or more classes the sum over classes"},
      metrics.brier);
  visit({"ece", "",
         "expected calibration error: 15 bins of equal width in p; with three or more classes p is that of "
         "the predicted class"},
        metrics.ece);
  visit({"auc", "",
         "area under the ROC curve, ties at half; null if a class is absent. With three or more classes the "
         "mean over those present, each against all others"},
        metrics.auc);
  visit({"rps", "",
         "ranked probability score of ordered classes: mean of the sum of (p(y <= k) - [y <= k])^2 over all "
         "thresholds, divided by their number; null if the classes are not ordered"},
        metrics.rps);
  visit(
      {"level_error", "levels",
       "mean absolute error in levels, |predicted class - true class|; null if the classes are not ordered"},
      metrics.level_error);
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
  visit({"jitter", "", "relative to signal_std^2, as used by the last Cholesky factor"}, theta.jitter);
}

template <class Visit>
void describe(const Iteration& iteration, Visit&& visit) {
  visit({"stage", "", "rows, m or features change between stages"}, iteration.stage);
  visit({"rows", "rows", "rows of the bound"}, iteration.rows);
  visit({"m", "", "inducing inputs of the bound"}, iteration.m);
  visit({"seconds", "s", "since the start, excluding callbacks and evaluation on test data"},
        iteration.seconds);
  visit({"passes", "", "passes over the rows so far"}, iteration.passes);
  visit({"bound", "nats", "the method's own bound"}, iteration.bound);
  visit({"elbo", "nats", "the true bound, if requested"}, iteration.elbo);
}

template <class Visit>
void describe(const Stage& stage, Visit&& visit) {
  visit({"rows", "rows", "rows of the stage"}, stage.rows);
  visit({"m", "", "inducing inputs of the stage"}, stage.m);
  visit({"warp", "", "feature warp: none or yeo-johnson"}, stage.warp);
  visit({"kernel", "", "kernel of the stage"}, stage.kernel);
  visit({"bound", "nats", "at the end of the stage, over its rows"}, stage.bound);
  visit({"seconds", "s", "since the start of the fit"}, stage.seconds);
}

template <class Visit>
void describe(const Chosen::Candidate& candidate, Visit&& visit) {
  visit({"name", "", "of the kernel or warp"}, candidate.name);
  visit({"nll", "nats", "mean over the held-out rows, if these decided"}, candidate.nll);
  visit({"nll_error", "nats", "standard error of the difference between this nll and the chosen one's"},
        candidate.nll_error);
  visit({"bound", "nats", "over all rows, if it decided"}, candidate.bound);
}

template <class Visit>
void describe(const Chosen& choice, Visit&& visit) {
  visit({"what", "", "kernel or warp"}, choice.what);
  visit({"chosen", "", "name"}, choice.chosen.name);
  visit({"reason", "", "the rule by which it was chosen, in words"}, choice.reason);
  visit({"nll", "nats", "of the chosen one on the held-out rows, if these decided"}, choice.chosen.nll);
  visit({"bound", "nats", "of the chosen one over all rows, if it decided"}, choice.chosen.bound);
  visit({"held_out", "rows",
         "rows of the training table that the candidates predicted without having used them; 0: the bound "
         "decided"},
        choice.held_out);
  visit({"others", "", "the other candidates with their figures"}, choice.others);
}

template <class Visit>
void describe(const Report& report, Visit&& visit) {
  visit({"method", "", "the method used; never auto"}, report.method);
  visit({"status", "", "converged, budget, interrupted or failed"}, report.status);
  visit({"message", "", "how the fit ended, in words"}, report.message);
  visit({"n", "rows", "rows of the data"}, report.n);
  visit({"d", "", "features"}, report.d);
  visit({"m", "", "inducing inputs"}, report.m);
  visit({"rows", "rows", "distinct rows used: all, unless time ran out first"}, report.rows);
  visit({"seed", "", "for k-means, minibatches and the training rows that are held out"}, report.seed);
  visit({"threads", "", "threads used"}, report.threads);
  visit({"shards", "", "processes that had rows: MPI ranks or Dask workers"}, report.shards);
  visit({"bytes_moved", "bytes", "between these processes and the driver, both ways"}, report.bytes_moved);
  visit({"seconds_waiting", "s", "of the driver, for answers, beyond the mean work of a shard"},
        report.seconds_waiting);
  visit({"shard_imbalance", "", "seconds of the busiest shard, relative to the mean"},
        report.shard_imbalance);
  visit({"seconds", "s",
         "time of the fit, including the importance of features, excluding callbacks and evaluation on test "
         "data"},
        report.seconds);
  visit({"choosing_seconds", "s", "of these, for choosing warp and kernel"}, report.choosing_seconds);
  visit({"last_seconds", "s", "of these, for the last stage; 0 for methods without growth"},
        report.last_seconds);
  visit({"iterations", "", "outer iterations"}, report.iterations);
  visit({"passes", "", "passes over the rows"}, report.passes);
  visit({"kept", "", "size of the cached n x m arrays (see the option memory)"}, Bytes{report.kept_bytes});
  visit({"bound", "nats",
         "the method's own bound at the end; vi-newton: elbo plus log prior of theta, at most elbo"},
        report.bound);
  visit({"elbo", "nats", "the true bound of the same q, by accurate integration"}, report.elbo);
  visit({"sparsity_price", "nats", "loss of the bound due to having only m inducing inputs"},
        report.sparsity_price);
  visit({"doubling_gain", "nats",
         "likely gain of the bound with twice as many inducing inputs; null for methods without growth"},
        report.doubling_gain);
  visit({"warp", "", "feature warp: none or yeo-johnson"}, report.warp);
  visit({"kernel", "", "the kernel used; never auto"}, report.kernel);
  visit({"choices", "",
         "of kernel and warp: small tables choose by the bound (from 1,000 rows on the warp on half of "
         "them), others by how well candidates "
         "predicted held-out rows; empty if there were none"},
        report.choices);
  visit({"ladder", "", "growth of rows and inducing inputs; empty for methods without growth"},
        report.stages);
  visit({"importance", "",
         "share of the latent function's variance over the training rows due to each feature, as main effect "
         "and in total; empty if interrupted"},
        PerFeatureImportance{report.importance});
  visit({"relevance", "",
         "inverse length-scale of each feature in the model's units (first kernel of a sum); 0 for constant "
         "features"},
        PerFeature{report.relevance});
  visit({"held_out_by", "",
         "what is held out, or left out by the next two: rows, groups (a fold of whole groups at a time) or "
         "time (the latest fifth)"},
        report.held_out_by);
  visit({"leave_one_out", "",
         "metrics of the training rows, each left out at the fitted parameters, so optimistic if there are "
         "few rows; null if interrupted, or with groups and another method than vi-newton"},
        report.leave_one_out);
  visit({"cross_validation", "",
         "metrics of the training rows, each predicted by a fit without its fold (of ten below 500 rows, "
         "otherwise of four; of two of these four if there is enough to fit and they show that the features "
         "predict the label); null unless a small table had choices to make"},
        report.cross_validation);
  visit(
      {"set_thresholds", "",
       "for sets of classes that are right with probability 1 - alpha, alpha = 0, 1/200, ..., 1/2: what the "
       "more probable classes of a class in the set have together at most, by the predictions that "
       "cross_validation, or else leave_one_out, judges; empty without them"},
      report.set_thresholds);
  visit({"class_weights", "",
         "weights of the classes, whose logarithms were added to the means after the fit; leave_one_out and "
         "cross_validation are without them; empty: none"},
        report.class_weights);
  visit({"theta", "", "the kernel's parameters and the mean"}, report.theta);
  visit({"warnings", "", "warning messages"}, report.warnings);
  visit({"history", "", "every iteration"}, History{report.history});
}

template <class Visit>
void describe(const PastUpdate& update, Visit&& visit) {
  visit({"rows", "", "the sum of the weights of the rows"}, update.rows);
  visit({"nll", "nats", "before they were learned"}, update.nll);
  visit({"expected_nll", "nats", "what the model before expected it to be"}, update.expected_nll);
  visit({"z", "", "the difference in standard deviations"}, update.z);
  visit({"kept", "", "how much what the model knew before counted afterwards"}, update.kept);
  visit({"inputs_added", "", "inducing inputs"}, update.inputs_added);
}

template <class Visit>
void describe(const Model& model, Visit&& visit) {
  const Names& names = model.names();
  const auto named = [](const std::string& text) {
    return text.empty() ? std::nullopt : std::optional(text);
  };
  visit({"method", "", "the training method"}, model.method());
  visit({"version", "", "of the library that fitted it"}, model.version());
  visit({"kernel", "", "the kernel, or a sum of kernels"}, model.kernel());
  visit({"likelihood", "", "maps latent functions to probabilities"}, model.likelihood());
  visit({"classes", "", "the class names; of two, probabilities refer to the second"}, names.classes);
  visit({"label_column", "", "null if unnamed"}, named(names.label));
  visit({"weight_column", "", "null if rows had no weights"}, named(names.weight));
  visit({"features", "", "number of features"}, model.features());
  visit({"feature_names", "", "empty if the table had none"}, names.features);
  visit({"inducing_inputs", "", "number of inducing inputs"}, model.inducing());
  visit({"warp", "", "of the features: none or yeo-johnson"}, model.warp());
  visit({"warp_exponents", "", "power of each feature; null if features are not warped"},
        model.warp() == "none" ? std::nullopt : std::optional(model.warp_exponents()));
  visit({"theta", "", "kernel parameters and mean, in model units"}, model.theta());
  visit({"terms", "",
         "shares of the variation of the latent function over the training rows: of the effect of each "
         "feature, of each "
         "pair of the kernel, and of all else that the joint term does; they add up to 1. Empty if the model "
         "has no explanation"},
        terms_of(model));
  visit({"rows_of_fit", "", "the sum of the weights of the training rows; 0 if the model does not know"},
        rows_of_fit(model));
  visit({"updates", "", "what was learned since the fit, in the order of time"}, past_updates(model));
}

}  // namespace induce::detail
