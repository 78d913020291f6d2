// Features and the values of their effects as people write them: names, numbers, dates, levels.
#pragma once

#include <string>
#include <vector>

#include <induce/explain.hpp>
#include <induce/model.hpp>

namespace induce {

inline constexpr const char* kOtherLevels = "(other)";
inline constexpr const char* kMissingValue = "(missing)";

// "alcohol", or "feature 3" if the data have no names.
std::string feature_name(const Names& names, std::size_t feature);

struct FeatureImportance {
  std::size_t number = 0;  // of the feature, from 0
  std::string feature;
  double main = 0, total = 0;
};

// Features and their importance, largest total first.
std::vector<FeatureImportance> sorted_importance(const std::vector<Importance>& importance,
                                                 const Names& names);

bool has_levels(const Names& names, std::size_t feature);

// One for each of effect.values; numbers with `digits` significant digits, 0: all of them.
std::vector<std::string> value_texts(const Effect& effect, const Names& names, int digits = 0);

// "2023-01-05" or, with a time of day, "2023-01-05 10:30:00".
std::string date_text(double days);

}  // namespace induce
