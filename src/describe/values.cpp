#include "describe/values.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numeric>

#include "text/format.hpp"

namespace induce::detail {

std::string feature_name(const Names& names, std::size_t feature) {
  return names.features.empty() ? unnamed_feature(feature) : names.features[feature];
}

std::vector<FeatureImportance> sorted_importance(const std::vector<Importance>& importance,
                                                 const Names& names) {
  std::vector<FeatureImportance> sorted;
  for (std::size_t f = 0; f < importance.size(); ++f)
    sorted.push_back({f, feature_name(names, f), importance[f].main, importance[f].total});
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const FeatureImportance& a, const FeatureImportance& b) { return a.total > b.total; });
  return sorted;
}

std::string term_name(const Names& names, const std::vector<std::size_t>& features) {
  std::string name;
  for (const std::size_t feature : features) name += (name.empty() ? "" : "*") + feature_name(names, feature);
  return features.empty() ? "joint" : name;
}

std::vector<NamedTerm> sorted_terms(const std::vector<TermShare>& terms, const Names& names) {
  std::vector<NamedTerm> sorted;
  for (const TermShare& term : terms) sorted.push_back({term_name(names, term.features), term.share});
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const NamedTerm& a, const NamedTerm& b) { return a.share > b.share; });
  return sorted;
}

std::string terms_text(const std::vector<TermShare>& terms, const Names& names) {
  constexpr std::size_t shown = 6;
  std::string text;
  const std::vector<NamedTerm> sorted = sorted_terms(terms, names);
  for (std::size_t k = 0; k < std::min(shown, sorted.size()); ++k)
    text += (k ? ", " : "") + sorted[k].term + " " + fixed(100 * sorted[k].share, 0) + " %";
  return text + (sorted.size() > shown ? " (full list in --json)" : "");
}

bool has_levels(const Names& names, std::size_t feature) {
  return !names.columns.empty() && names.columns[feature].has_levels();
}

std::vector<std::size_t> drawn_levels(const Effect& effect, std::span<const std::size_t> curves,
                                      std::size_t most) {
  const std::size_t points = points_in(effect);
  std::vector<std::size_t> order(points);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<double> size(points, 0);
  for (const std::size_t c : curves)
    for (std::size_t g = 0; g < points; ++g)
      size[g] = std::max(size[g], std::fabs(point_of(effect, c, g).mean));
  for (const std::size_t c : curves) {
    const auto [low, high] = std::minmax_element(order.begin(), order.end(), [&](auto a, auto b) {
      return point_of(effect, c, a).mean < point_of(effect, c, b).mean;
    });
    size[*low] = size[*high] = std::numeric_limits<double>::infinity();
  }
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return size[a] > size[b]; });
  order.resize(std::min(points, most));
  std::sort(order.begin(), order.end());
  return order;
}

std::string hidden_levels(const Effect& effect, const Names& names, std::span<const std::size_t> drawn) {
  const std::size_t all = names.columns[effect.feature].levels.size();
  const auto is_level = [&](double value) { return value < static_cast<double>(all); };
  const auto own =
      static_cast<std::size_t>(std::count_if(effect.values.begin(), effect.values.end(), is_level));
  std::size_t shown = 0, others = 0;  // others: that are drawn as one
  for (const std::size_t g : drawn)
    if (g < effect.values.size())
      (is_level(effect.values[g]) ? shown : others) += is_level(effect.values[g]) ? 1 : all - own;
  const std::size_t hidden = all - shown - others;
  std::string text =
      hidden == 0 ? "" : counted(hidden, "more level") + (hidden == 1 ? " is" : " are") + " not shown";
  if (others > 0)
    text += (hidden == 0 ? "" : "; ") + std::string(kOtherLevels) + " stands for " +
            counted(others, "rare level");
  return text;
}

std::string date_text(double days) {
  constexpr double farthest = 3e6;  // days: the year 10183
  if (!(std::fabs(days) < farthest)) return shortest(days);
  const auto seconds = static_cast<long long>(std::llround(days * 86400));
  const long long day = seconds >= 0 ? seconds / 86400 : -((86399 - seconds) / 86400),
                  rest = seconds - day * 86400;
  const std::chrono::year_month_day date{std::chrono::sys_days{std::chrono::days{day}}};
  char text[64];
  int used = std::snprintf(text, sizeof text, "%04d-%02u-%02u", static_cast<int>(date.year()),
                           static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
  if (rest > 0)
    std::snprintf(text + used, sizeof text - static_cast<std::size_t>(used), " %02lld:%02lld:%02lld",
                  rest / 3600, rest / 60 % 60, rest % 60);
  return text;
}

std::string value_text(const Names& names, std::size_t column, double value, int digits) {
  if (std::isnan(value)) return kMissingValue;
  if (has_levels(names, column)) {
    const std::vector<std::string>& levels = names.columns[column].levels;
    return value < static_cast<double>(levels.size()) ? levels[static_cast<std::size_t>(value)]
                                                      : kOtherLevels;
  }
  if (!names.columns.empty() && names.columns[column].kind == ColumnKind::date) return date_text(value);
  return digits > 0 ? readable(value, digits) : shortest(value);
}

std::span<const double> curve_of(const Effect& effect, std::size_t curve) {
  return std::span(effect.mean).subspan(curve * effect.values.size(), effect.values.size());
}

double reach_of(std::span<const double> curve) {
  const auto [low, high] = std::minmax_element(curve.begin(), curve.end());
  return *high - *low;
}

std::size_t points_in(const Effect& effect) {
  return effect.values.size() + (effect.missing_mean.empty() ? 0 : 1);
}

EffectPoint point_of(const Effect& effect, std::size_t curve, std::size_t point) {
  const std::size_t points = effect.values.size(), at = curve * points + point;
  if (point < points) return {effect.mean[at], effect.lower[at], effect.upper[at]};
  return {effect.missing_mean[curve], effect.missing_lower[curve], effect.missing_upper[curve]};
}

std::string point_text(const Effect& effect, const Names& names, std::size_t point, int digits) {
  if (point == effect.values.size()) return kMissingValue;
  return value_text(names, effect.feature, effect.values[point], digits);
}

std::string point_text(const PairEffect::Axis& axis, const Names& names, std::size_t point, int digits) {
  return point == axis.values.size() ? kMissingValue
                                     : value_text(names, axis.feature, axis.values[point], digits);
}

CurveShape shape_of(std::span<const double> curve) {
  constexpr double nearly = 0.05;  // of the reach
  const auto low = std::min_element(curve.begin(), curve.end()),
             high = std::max_element(curve.begin(), curve.end());
  const double reach = *high - *low, first = curve.front(), last = curve.back();
  return {.reach = reach,
          .lowest = static_cast<std::size_t>(low - curve.begin()),
          .highest = static_cast<std::size_t>(high - curve.begin()),
          .rises = *high - last < nearly * reach && first - *low < nearly * reach,
          .falls = *high - first < nearly * reach && last - *low < nearly * reach};
}

}  // namespace induce::detail
