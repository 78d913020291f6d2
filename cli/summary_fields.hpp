// Fields of the JSON output that are not in the library's report, described as in describe/fields.hpp.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <induce/version.hpp>

#include "calibration.hpp"
#include "confusion.hpp"
#include "describe/fields.hpp"
#include "describe/values.hpp"
#include "fit_summary.hpp"
#include "peak_memory.hpp"

namespace induce::cli {

using detail::describe;  // of the library's records

// JSON objects within the output.
struct SummaryOptions {
  const FitSummary& summary;
};
struct SummaryFiles {
  const FitSummary& summary;
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
  visit(Field{"effect", "", "mean, one number for each curve"}, missing.mean);
  visit(Field{"lower", "", "lower end of its 95 % band, likewise"}, missing.lower);
  visit(Field{"upper", "", "upper end of its 95 % band, likewise"}, missing.upper);
}

template <class Visit>
void describe(const FeatureImportance& importance, Visit&& visit) {
  visit(Field{"feature", "", "the feature's name"}, importance.feature);
  visit(Field{"main", "", "share of the variance due to the feature's main effect"}, importance.main);
  visit(Field{"total", "", "share of the variance due to the feature, interactions included"},
        importance.total);
}

template <class Visit>
void describe(const NamedEffect& named, Visit&& visit) {
  visit(Field{"feature", "", "the feature's name"}, named.feature);
  visit(Field{"values", "",
              "increasing, in the units of the data; of a date: days since 1970-01-01; of a category: null"},
        unless_empty(named.levels.empty() ? named.effect.values : std::vector<double>{}));
  visit(Field{"levels", "",
              "of a category, in place of values; \"(other)\" stands for all that are not listed; else null"},
        unless_empty(named.levels));
  const std::size_t points = named.effect.values.size();
  visit(
      Field{"effect", "",
            "mean of the main effect at each value, on the scale of the latent function. With three or more "
            "classes a list of such lists, one per class: on its latent function minus the average of all"},
      Curves{named.effect.mean, points});
  visit(Field{"lower", "", "lower end of its 95 % band, likewise"}, Curves{named.effect.lower, points});
  visit(Field{"upper", "", "upper end of its 95 % band, likewise"}, Curves{named.effect.upper, points});
  visit(Field{"missing", "",
              "the same where the value is missing; null: the training data had no gaps in this column"},
        missing_of(named.effect));
}

template <class Visit>
void describe(const Explained& explained, Visit&& visit) {
  const auto& [explanation, names, model_file, data_file] = explained;
  visit(Field{"importance", "", "of each feature, largest total first"},
        PerFeatureImportance{explanation.importance});
  std::vector<NamedEffect> effects;
  for (const Effect& effect : explanation.effects)
    effects.push_back(
        {effect, feature_name(names, effect.feature),
         has_levels(names, effect.feature) ? value_texts(effect, names) : std::vector<std::string>{}});
  visit(Field{"effects", "", "the curves of each feature, in feature order"}, effects);
  visit(Field{"classes", "", "the class names"}, names.classes);
  visit(Field{"model", "", "MODEL"}, model_file);
  visit(Field{"data", "", "DATA; null: the training rows, as stored in the model"}, unless_empty(data_file));
  visit(Field{"version", "", "the version of induce"}, std::string(INDUCE_VERSION));
}

template <class Visit>
void describe(const Relevance& relevance, Visit&& visit) {
  visit(Field{"feature", "", "the feature's name"}, relevance.feature);
  visit(Field{"inverse_lengthscale", "", "in model units; 0 if the feature is constant"},
        relevance.inverse_lengthscale);
}

template <class Visit>
void describe(const Calibration& calibration, Visit&& visit) {
  visit(Field{"on", "", "the rows: test, cross-validation or leave-one-out"}, calibration.on);
  visit(Field{"ece", "", "expected calibration error"}, calibration.ece);
  visit(Field{"nll", "nats", "mean negative log-likelihood"}, calibration.nll);
  visit(
      Field{
          "base_nll", "nats",
          "nll of the base rate: on the same rows, of predicting the class frequencies of the training rows"},
      calibration.base_nll);
}

template <class Visit>
void describe(const ClassCount& each, Visit&& visit) {
  visit(Field{"name", "", "of the class"}, each.name);
  visit(Field{"count", "rows", "training rows"}, each.count);
  visit(Field{"weight", "", "the sum of their weights; the base rate is its share of all classes"},
        each.weight);
}

template <class Visit>
void describe(const ColumnSummary& column, Visit&& visit) {
  visit(Field{"name", "", "in the header; null without one"}, unless_empty(column.name));
  visit(Field{"kind", "",
              "number, category, boolean or date; of a column that is left out: id, empty or dropped"},
        column.kind);
  visit(Field{"missing", "rows", "without a value"}, column.missing);
  visit(Field{"levels", "", "different values of a category or boolean, otherwise 0"}, column.levels);
}

template <class Visit>
void describe(const SummaryFiles& files, Visit&& visit) {
  const FitSummary& summary = files.summary;
  visit(Field{"train", "", "DATA"}, summary.train_file);
  visit(Field{"test", "", "--test; null: none"}, unless_empty(summary.test_file));
  visit(Field{"holdout", "", "--holdout; null: none"},
        summary.holdout > 0 ? std::optional(summary.holdout) : std::nullopt);
  visit(Field{"model", "", "--output; null: not written"}, unless_empty(summary.model_file));
}

template <class Visit>
void describe(const FitSummary& summary, Visit&& visit) {
  describe(summary.report, visit);
  const Model& model = summary.model;
  visit(Field{"calibration", "", "on rows that the model has not seen; null if not available"},
        summary.calibration);
  visit(Field{"warp_exponents", "", "exponent of each feature; null if features are not warped"},
        summary.report.warp == "none" ? std::nullopt : std::optional(model.warp_exponents()));
  visit(Field{"kernel", "", "the kernel's name"}, model.kernel());
  visit(Field{"likelihood", "", "maps latent functions to probabilities"}, model.likelihood());
  visit(Field{"classes", "", "the class names; of two, probabilities refer to the second"},
        model.names().classes);
  std::vector<ClassCount> counts;
  for (std::size_t c = 0; c < summary.class_rows.size(); ++c)
    counts.push_back({model.names().classes[c], summary.class_rows[c], summary.class_weights[c]});
  visit(Field{"class_counts", "", "name, count and weight of each class in the training rows"}, counts);
  visit(Field{"label", "", "the label column's name; null if unnamed"}, unless_empty(model.names().label));
  visit(Field{"columns", "", "the columns of DATA except label, weight and id; empty for LIBSVM"},
        summary.columns);
  visit(Field{"rows_with_gaps", "rows", "with a missing value; before --holdout"}, summary.rows_with_gaps);
  visit(Field{"rows_without_label", "rows", "that were left out"}, summary.rows_without_label);
  visit(Field{"train", "", "metrics on the training rows"}, summary.train);
  visit(Field{"test", "", "metrics on the test rows; null if there are none"}, summary.test);
  visit(Field{"files", "", "files that were read and written"}, SummaryFiles{summary});
  visit(Field{"options", "", "the options as given"}, SummaryOptions{summary});
  visit(Field{"peak_rss_mb", "MB", "peak memory of the program"}, peak_rss_mb());
  visit(Field{"version", "", "the version of induce"}, std::string(INDUCE_VERSION));
}

template <class Visit>
void describe(const TraceLine& line, Visit&& visit) {
  const auto& test = line.test;
  visit(Field{"iteration", "", "from 1"}, line.progress.iteration);
  describe(line.progress.now, visit);
  visit(Field{"test_accuracy", "", "on the test rows; null if there are none"},
        test ? std::optional(test->accuracy) : std::nullopt);
  visit(Field{"test_nll", "nats", "on the test rows; null if there are none"},
        test ? std::optional(test->nll) : std::nullopt);
}

template <class Visit>
void describe(const Confusion& confusion, Visit&& visit) {
  visit(Field{"classes", "", "the class names"}, confusion.classes);
  visit(Field{"counts", "rows", "a list per true class, with the number of its rows predicted as each class"},
        confusion.counts);
}

template <class Visit>
void describe(const Evaluation& evaluation, Visit&& visit) {
  describe(evaluation.metrics, visit);
  visit(Field{"confusion", "", "true against predicted classes"}, evaluation.confusion);
  visit(Field{"model", "", "MODEL"}, evaluation.model_file);
  visit(Field{"data", "", "DATA"}, evaluation.data_file);
  visit(Field{"version", "", "the version of induce"}, std::string(INDUCE_VERSION));
}

}  // namespace induce::cli
