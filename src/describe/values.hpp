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

struct NamedTerm {
  std::string term;  // "age", "age*hours", "joint"
  double share = 0;
};
std::string term_name(const Names& names, const std::vector<std::size_t>& features);
// Largest share first.
std::vector<NamedTerm> sorted_terms(const std::vector<TermShare>& terms, const Names& names);
// "age 41 %, age*hours 20 %": those that matter most.
std::string terms_text(const std::vector<TermShare>& terms, const Names& names);

bool has_levels(const Names& names, std::size_t feature);

// The value of a column as people write it: a level, a date, "(missing)", or a number with `digits` significant digits, 0: all of
// them.
std::string value_text(const Names& names, std::size_t column, double value, int digits = 0);

// The curve of an effect, or with three or more classes that of each.
inline std::size_t curves_in(const Effect& effect) { return effect.mean.size() / effect.values.size(); }
std::span<const double> curve_of(const Effect& effect, std::size_t curve);  // its mean
double reach_of(std::span<const double> curve);                             // from lowest to highest

// A point of a curve. After those of the values comes the one of a missing value, if the effect has it.
struct EffectPoint {
  double mean, lower, upper;
};
std::size_t points_in(const Effect& effect);  // missing values included
EffectPoint point_of(const Effect& effect, std::size_t curve, std::size_t point);
std::string point_text(const Effect& effect, const Names& names, std::size_t point, int digits = 0);

std::string point_text(const PairEffect::Axis& axis, const Names& names, std::size_t point, int digits = 0);

// What a curve does. One that rises may fall by 5 % of its reach at its ends.
struct CurveShape {
  double reach;
  std::size_t lowest, highest;  // points
  bool rises, falls;
};
CurveShape shape_of(std::span<const double> curve);

// Points of the effect of a category to draw, at most `most`: the lowest and the highest of each of these curves, then those
// with the largest effects. Increasing.
std::vector<std::size_t> drawn_levels(const Effect& effect, std::span<const std::size_t> curves,
                                      std::size_t most);

// "8 more levels are not shown; (other) stands for 3 rare levels", of a category of which these points are drawn; empty if
// there is nothing to say.
std::string hidden_levels(const Effect& effect, const Names& names, std::span<const std::size_t> drawn);

// "2023-01-05" or, with a time of day, "2023-01-05 10:30:00".
std::string date_text(double days);

}  // namespace induce::detail
