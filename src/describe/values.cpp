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

bool has_levels(const Names& names, std::size_t feature) {
  return !names.columns.empty() && names.columns[feature].has_levels();
}

std::vector<std::size_t> drawn_levels(const Effect& effect, std::span<const std::size_t> curves,
                                      std::size_t most) {
  const std::size_t points = effect.values.size() + (effect.missing_mean.empty() ? 0 : 1);
  std::vector<std::size_t> order(points);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<double> size(points, 0);
  for (const std::size_t c : curves)
    for (std::size_t g = 0; g < points; ++g) size[g] = std::max(size[g], std::fabs(mean_at(effect, c, g)));
  for (const std::size_t c : curves) {
    const auto [low, high] = std::minmax_element(order.begin(), order.end(), [&](auto a, auto b) {
      return mean_at(effect, c, a) < mean_at(effect, c, b);
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

std::vector<std::string> value_texts(const Effect& effect, const Names& names, int digits) {
  std::vector<std::string> texts;
  const Column column = names.columns.empty() ? Column{} : names.columns[effect.feature];
  for (const double value : effect.values) {
    if (column.has_levels())
      texts.push_back(value < static_cast<double>(column.levels.size())
                          ? column.levels[static_cast<std::size_t>(value)]
                          : kOtherLevels);
    else if (column.kind == ColumnKind::date)
      texts.push_back(date_text(value));
    else
      texts.push_back(digits > 0 ? readable(value, digits) : shortest(value));
  }
  return texts;
}

}  // namespace induce::detail
