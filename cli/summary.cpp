#include "summary.hpp"

#include <algorithm>
#include <cmath>

#include "data.hpp"
#include "model/base_rate.hpp"

namespace induce::cli {

std::optional<Calibration> calibration_of(const Report& report, const TrainingData& data,
                                          const std::optional<Metrics>& test) {
  if (!test && !report.leave_one_out) return std::nullopt;
  const bool folds = !test && report.cross_validation;
  const Metrics& metrics = test ? *test : folds ? *report.cross_validation : *report.leave_one_out;
  // The class frequencies of the latest rows are not known here.
  const bool in_time = !test && report.held_out_by == "time";
  return Calibration{.on = test                           ? "test"
                           : in_time                      ? "the latest fifth of the rows"
                           : folds                        ? "cross-validation"
                           : report.held_out_by == "rows" ? "leave-one-out"
                                                          : "left out with its group",
                     .ece = metrics.ece,
                     .nll = metrics.nll,
                     .base_nll = in_time
                                     ? NAN
                                     : base_rate_nll(data.class_weights, data.test ? class_weights(*data.test)
                                                                                   : data.class_weights)};
}

std::vector<std::string> levels_of(const Names& names, std::size_t feature,
                                   const std::vector<double>& values) {
  std::vector<std::string> out;
  if (has_levels(names, feature))
    for (const double value : values) out.push_back(value_text(names, feature, value));
  return out;
}

std::vector<Relevance> sorted_relevance(const std::vector<double>& relevance, const Names& names) {
  std::vector<Relevance> sorted;
  for (std::size_t f = 0; f < relevance.size(); ++f) sorted.push_back({feature_name(names, f), relevance[f]});
  std::stable_sort(sorted.begin(), sorted.end(), [](const Relevance& a, const Relevance& b) {
    return a.inverse_lengthscale > b.inverse_lengthscale;
  });
  return sorted;
}

}  // namespace induce::cli
