// What commands say about a fit, an evaluation and an explanation besides the library's report. Fields are described as in
// describe/fields.hpp; the output of --json and docs/reference.md follow.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <induce/fit.hpp>
#include <induce/metrics.hpp>
#include <induce/version.hpp>

#include "confusion.hpp"
#include "costs.hpp"
#include "describe/fields.hpp"
#include "describe/update_fields.hpp"
#include "describe/values.hpp"
#include "peak_memory.hpp"
#include "training_data.hpp"

namespace induce::cli {

using detail::describe;  // of the library's records

// Calibration on rows that the model has not seen: the test rows if there are any, otherwise the training rows by
// cross-validation or leave-one-out.
struct Calibration {
  std::string on;           // which rows, in words
  double ece = 0, nll = 0;  // see Metrics
  double base_nll =
      0;  // NLL on the same rows of always predicting the class frequencies of training; NaN for the latest fifth
};
// Empty if there are no such metrics.
std::optional<Calibration> calibration_of(const Report& report, const TrainingData& data,
                                          const std::optional<Metrics>& test);

// A finished fit.
struct FitSummary {
  const Fit& fit;
  const Options& options;
  const FitArguments& arguments;
  const TrainingData& data;
  Metrics train{};
  std::optional<Metrics> test{};
  std::optional<Calibration> calibration{};
};

struct Relevance {
  std::string feature;
  double inverse_lengthscale = 0;
};
// Features and their inverse length-scales, most relevant first.
std::vector<Relevance> sorted_relevance(const std::vector<double>& relevance, const Names& names);

// JSON objects within the output.
struct SummaryOptions {
  const Options& options;
  const FitArguments& arguments;
};
struct ClassCount {
  const std::string& name;
  std::size_t count;
  double weight;
};
struct TraceLine {
  const Progress& progress;
  const std::optional<Metrics>& test;
};
struct Evaluation {
  const Metrics& metrics;
  const Confusion& confusion;
  const std::optional<CostEvaluation>& cost;
  const std::string& model_file;
  const std::string& data_file;
};

// The numbers of one curve, or of one curve per class.
struct Curves {
  const std::vector<double>& numbers;
  std::size_t points;
};
struct NamedEffect {
  const Effect& effect;
  std::string feature;
  std::vector<std::string> levels{};  // of a category
};
// Of a category; otherwise none.
std::vector<std::string> levels_of(const Names& names, std::size_t feature,
                                   const std::vector<double>& values);

// The numbers of one surface, or of one per class.
struct Surfaces {
  const std::vector<double>& numbers;
  std::size_t rows, columns;
};
// A column of a pair.
struct NamedAxis {
  const PairEffect::Axis& axis;
  const Names& names;
};
struct NamedPair {
  const PairEffect& pair;
  const Names& names;
};
struct MissingEffect {
  std::vector<double> mean, lower, upper;  // one per curve
};
struct Explained {
  const Explanation& explanation;
  const Names& names;
  const std::string& model_file;
  const std::string& data_file;  // empty: the explanation stored in the model
};

template <class Text>
std::optional<Text> unless_empty(const Text& text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

inline std::optional<MissingEffect> missing_of(const Effect& effect) {
  if (effect.missing_mean.empty()) return std::nullopt;
  return MissingEffect{effect.missing_mean, effect.missing_lower, effect.missing_upper};
}

template <class Visit>
void describe(const MissingEffect& missing, Visit&& visit) {
  visit({"effect", "", "mean, one number for each curve"}, missing.mean);
  visit({"lower", "", "lower end of its 95 % band, likewise"}, missing.lower);
  visit({"upper", "", "upper end of its 95 % band, likewise"}, missing.upper);
}

template <class Visit>
void describe(const FeatureImportance& importance, Visit&& visit) {
  visit({"feature", "", "the feature's name"}, importance.feature);
  visit({"main", "", "share of the variance due to the feature's main effect"}, importance.main);
  visit({"total", "", "share of the variance due to the feature, interactions included"}, importance.total);
}

template <class Visit>
void describe(const NamedTerm& named, Visit&& visit) {
  visit({"term", "", "a feature's name, two with * between them, or joint"}, named.term);
  visit({"share", "", "of the variation of the latent function over rows"}, named.share);
}

template <class Visit>
void describe(const NamedEffect& named, Visit&& visit) {
  visit({"feature", "", "the feature's name"}, named.feature);
  visit({"values", "",
         "increasing, in the units of the data; of a date: days since 1970-01-01; of a category: null"},
        unless_empty(named.levels.empty() ? named.effect.values : std::vector<double>{}));
  visit({"levels", "",
         "of a category, in place of values; \"(other)\" stands for all that are not listed; else null"},
        unless_empty(named.levels));
  const std::size_t points = named.effect.values.size();
  visit({"effect", "",
         "mean of the main effect at each value, on the scale of the latent function. With three or more "
         "classes a list of such lists, one per class: on its latent function minus the average of all"},
        Curves{named.effect.mean, points});
  visit({"lower", "", "lower end of its 95 % band, likewise"}, Curves{named.effect.lower, points});
  visit({"upper", "", "upper end of its 95 % band, likewise"}, Curves{named.effect.upper, points});
  visit({"missing", "",
         "the same where the value is missing; null: the training data had no gaps in this column"},
        missing_of(named.effect));
}

template <class Visit>
void describe(const NamedAxis& named, Visit&& visit) {
  const std::vector<std::string> levels = levels_of(named.names, named.axis.feature, named.axis.values);
  visit({"feature", "", "the feature's name"}, feature_name(named.names, named.axis.feature));
  visit({"values", "", "as in effects"},
        unless_empty(levels.empty() ? named.axis.values : std::vector<double>{}));
  visit({"levels", "", "as in effects"}, unless_empty(levels));
  visit({"missing", "", "true: the last point is that of a missing value"}, named.axis.missing);
}

template <class Visit>
void describe(const NamedPair& named, Visit&& visit) {
  const auto& [first, second, mean, lower, upper] = named.pair;
  visit({"first", "", "the first column: feature, values, levels and missing"},
        NamedAxis{first, named.names});
  visit({"second", "", "the second one, likewise"}, NamedAxis{second, named.names});
  visit({"effect", "",
         "mean of what both do together, beyond their effects: a list for each point of the first column, "
         "with a number for "
         "each of the second. With three or more classes a list of such lists, one per class"},
        Surfaces{mean, first.points(), second.points()});
  visit({"lower", "", "lower end of its 95 % band, likewise"},
        Surfaces{lower, first.points(), second.points()});
  visit({"upper", "", "upper end of its 95 % band, likewise"},
        Surfaces{upper, first.points(), second.points()});
}

template <class Visit>
void describe(const Explained& explained, Visit&& visit) {
  const auto& [explanation, names, model_file, data_file] = explained;
  visit({"importance", "", "of each feature, largest total first"},
        PerFeatureImportance{explanation.importance});
  visit({"terms", "",
         "shares of the variation of the latent function over the rows: of the effect of each feature, of "
         "each pair of the "
         "kernel, and of all else that the joint term does; they add up to 1, largest first"},
        PerTerm{explanation.terms});
  std::vector<NamedEffect> effects;
  for (const Effect& effect : explanation.effects)
    effects.push_back(
        {effect, feature_name(names, effect.feature), levels_of(names, effect.feature, effect.values)});
  visit({"effects", "", "the curves of each feature, in feature order"}, effects);
  std::vector<NamedPair> pairs;
  for (const PairEffect& pair : explanation.pairs) pairs.push_back({pair, names});
  visit({"pairs", "", "what two features do together: of each pair of the kernel"}, pairs);
  visit({"classes", "", "the class names"}, names.classes);
  visit({"model", "", "MODEL"}, model_file);
  visit({"data", "", "DATA; null: the training rows, as stored in the model"}, unless_empty(data_file));
  visit({"version", "", "the version of induce"}, std::string(INDUCE_VERSION));
}

template <class Visit>
void describe(const Relevance& relevance, Visit&& visit) {
  visit({"feature", "", "the feature's name"}, relevance.feature);
  visit({"inverse_lengthscale", "", "in model units; 0 if the feature is constant"},
        relevance.inverse_lengthscale);
}

template <class Visit>
void describe(const Calibration& calibration, Visit&& visit) {
  visit({"on", "",
         "the rows: test, cross-validation, leave-one-out, those left out with their group, or the latest "
         "fifth"},
        calibration.on);
  visit({"ece", "", "expected calibration error"}, calibration.ece);
  visit({"nll", "nats", "mean negative log-likelihood"}, calibration.nll);
  visit({"base_nll", "nats",
         "nll of the base rate: on the same rows, of predicting the class frequencies of the training rows; "
         "null for "
         "the latest fifth"},
        calibration.base_nll);
}

template <class Visit>
void describe(const ClassCount& each, Visit&& visit) {
  visit({"name", "", "of the class"}, each.name);
  visit({"count", "rows", "training rows"}, each.count);
  visit({"weight", "", "the sum of their weights; the base rate is its share of all classes"}, each.weight);
}

template <class Visit>
void describe(const ColumnSummary& column, Visit&& visit) {
  visit({"name", "", "in the header; null without one"}, unless_empty(column.name));
  visit({"kind", "",
         "number, category, boolean or date; of a column that is left out: id, empty, "
         "dropped, group or time"},
        column.kind);
  visit({"missing", "rows", "without a value"}, column.missing);
  visit({"levels", "", "different values of a category or boolean, otherwise 0"}, column.levels);
}

// The files that were read and written.
template <class Visit>
void describe(const FitArguments& arguments, Visit&& visit) {
  visit({"train", "", "DATA"}, arguments.data.text());
  visit({"test", "", "--test; null: none"}, unless_empty(arguments.test_path));
  visit({"holdout", "", "--holdout; null: none"},
        arguments.holdout > 0 ? std::optional(arguments.holdout) : std::nullopt);
  visit({"model", "", "--output; null: not written"}, unless_empty(arguments.model_path));
}

template <class Visit>
void describe(const FitSummary& summary, Visit&& visit) {
  const auto& [model, report] = summary.fit;
  const Dataset& table = summary.data.train;
  describe(report, visit);
  visit({"calibration", "", "on rows that the model has not seen; null if not available"},
        summary.calibration);
  visit({"terms", "",
         "shares of the variation of the latent function over the training rows: of the effect of each "
         "feature, of each "
         "pair of the kernel, and of all else that the joint term does; they add up to 1. Empty if "
         "interrupted"},
        terms_of(model));
  visit({"warp_exponents", "", "exponent of each feature; null if features are not warped"},
        report.warp == "none" ? std::nullopt : std::optional(model.warp_exponents()));
  visit({"kernel", "", "the kernel's name"}, model.kernel());
  visit({"likelihood", "", "maps latent functions to probabilities"}, model.likelihood());
  visit({"classes", "", "the class names; of two, probabilities refer to the second"}, model.names().classes);
  std::vector<ClassCount> counts;
  for (std::size_t c = 0; c < summary.data.class_rows.size(); ++c)
    counts.push_back({model.names().classes[c], summary.data.class_rows[c], summary.data.class_weights[c]});
  visit({"class_counts", "", "name, count and weight of each class in the training rows"}, counts);
  visit({"label", "", "the label column's name; null if unnamed"}, unless_empty(model.names().label));
  visit({"columns", "", "the columns of DATA except label, weight and id; empty for LIBSVM"}, table.columns);
  visit({"rows_with_gaps", "rows", "with a missing value; before --holdout"}, table.rows_with_gaps);
  visit({"rows_without_label", "rows", "that were left out"}, table.rows_without_label);
  visit({"train", "", "metrics on the training rows"}, summary.train);
  visit({"test", "", "metrics on the test rows; null if there are none"}, summary.test);
  visit({"files", "", "files that were read and written"}, summary.arguments);
  visit({"options", "", "the options as given"}, SummaryOptions{summary.options, summary.arguments});
  visit({"peak_rss_mb", "MB", "peak memory of the program"}, peak_rss_mb());
  visit({"version", "", "the version of induce"}, std::string(INDUCE_VERSION));
}

template <class Visit>
void describe(const TraceLine& line, Visit&& visit) {
  const auto& test = line.test;
  visit({"iteration", "", "from 1"}, line.progress.iteration);
  describe(line.progress.now, visit);
  visit({"test_accuracy", "", "on the test rows; null if there are none"},
        test ? std::optional(test->accuracy) : std::nullopt);
  visit({"test_nll", "nats", "on the test rows; null if there are none"},
        test ? std::optional(test->nll) : std::nullopt);
}

template <class Visit>
void describe(const Confusion& confusion, Visit&& visit) {
  visit({"classes", "", "the class names"}, confusion.classes);
  visit({"counts", "rows", "a list per true class, with the number of its rows predicted as each class"},
        confusion.counts);
}

template <class Visit>
void describe(const Evaluation& evaluation, Visit&& visit) {
  describe(evaluation.metrics, visit);
  visit({"confusion", "", "true against predicted classes"}, evaluation.confusion);
  visit({"costs", "", "with --cost; else null"}, evaluation.cost);
  visit({"model", "", "MODEL"}, evaluation.model_file);
  visit({"data", "", "DATA"}, evaluation.data_file);
  visit({"version", "", "the version of induce"}, std::string(INDUCE_VERSION));
}

// An update that was made.
struct UpdateSummary {
  const UpdateReport& report;
  const Names& names;
  std::string model_file, data_file, output_file;
};

template <class Visit>
void describe(const UpdateSummary& summary, Visit&& visit) {
  describe(NamedUpdateReport{summary.report, summary.names}, visit);
  visit({"model", "", "MODEL"}, summary.model_file);
  visit({"data", "", "DATA"}, summary.data_file);
  visit({"output", "", "--output; null: not written"}, unless_empty(summary.output_file));
  visit({"version", "", "the version of induce"}, std::string(INDUCE_VERSION));
}

}  // namespace induce::cli
