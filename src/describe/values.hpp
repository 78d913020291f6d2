// Features and the values of their effects as people write them: names, numbers, dates, levels.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <induce/explain.hpp>
#include <induce/model.hpp>

namespace induce::detail {

inline constexpr const char* kOtherLevels = "(other)";
inline constexpr const char* kMissingValue = "(missing)";

// "alcohol", or "feature 2" if the data have no names: features are counted from 0.
std::string feature_name(const Names& names, std::size_t feature);

struct FeatureImportance {
  std::size_t number = 0;  // of the feature, from 0
  std::string feature;
  double main = 0, total = 0;
};

// Shown as 0 %: what a curve does is then not worth words.
inline bool negligible(const FeatureImportance& feature) { return feature.total < 0.005; }

// Features and their importance, largest total first.
std::vector<FeatureImportance> sorted_importance(const std::vector<Importance>& importance,
                                                 const Names& names);

bool has_levels(const Names& names, std::size_t feature);

// One for each of effect.values; numbers with `digits` significant digits, 0: all of them.
std::vector<std::string> value_texts(const Effect& effect, const Names& names, int digits = 0);

// Points of the effect of a category to draw, at most `most`: the lowest and the highest of each of these curves, then those with the largest
// effects. The number of its values stands for a missing value. Increasing.
std::vector<std::size_t> drawn_levels(const Effect& effect, std::span<const std::size_t> curves,
                                      std::size_t most);

// "8 more levels are not shown; (other) stands for 3 rare levels", of a category of which these points are drawn; empty if there is
// nothing to say.
std::string hidden_levels(const Effect& effect, const Names& names, std::span<const std::size_t> drawn);

// The effect of curve c at a point of drawn_levels.
inline double mean_at(const Effect& effect, std::size_t c, std::size_t point) {
  const std::size_t points = effect.values.size();
  return point < points ? effect.mean[c * points + point] : effect.missing_mean[c];
}

// "2023-01-05" or, with a time of day, "2023-01-05 10:30:00".
std::string date_text(double days);

}  // namespace induce::detail
