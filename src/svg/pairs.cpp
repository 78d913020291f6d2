#include "svg/pairs.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "describe/values.hpp"
#include "svg/heat_map.hpp"
#include "text/format.hpp"

namespace induce::detail {
namespace {

constexpr double least_share = 0.005;  // else shown as 0 %
constexpr std::size_t most_levels = 12;

double largest(const PairEffect& pair, std::size_t curve) {
  const std::size_t all = pair.first.points() * pair.second.points();
  double most = 0;
  for (std::size_t k = 0; k < all; ++k) most = std::max(most, std::fabs(pair.mean[curve * all + k]));
  return most;
}

// All points of a number; of many levels those with the largest effects, in their order.
template <class Size>
std::vector<std::size_t> drawn_points(const PairEffect::Axis& axis, const Names& names, const Size& size_at) {
  std::vector<std::size_t> points(axis.points());
  std::iota(points.begin(), points.end(), std::size_t{0});
  if (!has_levels(names, axis.feature) || points.size() <= most_levels) return points;
  std::stable_sort(points.begin(), points.end(), [&](auto a, auto b) { return size_at(a) > size_at(b); });
  points.resize(most_levels);
  std::sort(points.begin(), points.end());
  return points;
}

PairPanel panel_of(const PairEffect& pair, double share, const Names& names) {
  const std::size_t curves = pair.mean.size() / (pair.first.points() * pair.second.points());
  std::size_t curve = 0;
  for (std::size_t c = 1; c < curves; ++c)
    if (largest(pair, c) > largest(pair, curve)) curve = c;
  PairPanel panel{pair, share, curve, {}, {}, {}};
  panel.up = drawn_points(pair.first, names, [&](std::size_t i) {
    double most = 0;
    for (std::size_t j = 0; j < pair.second.points(); ++j)
      most = std::max(most, std::fabs(pair.mean[panel.at(i, j)]));
    return most;
  });
  panel.right = drawn_points(pair.second, names, [&](std::size_t j) {
    double most = 0;
    for (std::size_t i = 0; i < pair.first.points(); ++i)
      most = std::max(most, std::fabs(pair.mean[panel.at(i, j)]));
    return most;
  });
  for (const auto& [axis, drawn] : {std::pair(&pair.first, &panel.up), std::pair(&pair.second, &panel.right)})
    if (const std::size_t hidden = axis->points() - drawn->size(); hidden > 0)
      panel.hidden += (panel.hidden.empty() ? "" : "; ") + brief(feature_name(names, axis->feature), 24) +
                      ": " + counted(hidden, "more level") + (hidden == 1 ? " is" : " are") + " not shown";
  return panel;
}

HeatAxis heat_axis(const PairEffect::Axis& axis, const std::vector<std::size_t>& drawn, const Names& names) {
  HeatAxis out{{}, has_levels(names, axis.feature), axis.missing && drawn.back() == axis.values.size()};
  for (const std::size_t point : drawn) out.names.push_back(point_text(axis, names, point, 3));
  return out;
}

}  // namespace

PairPanels pair_panels(const Explanation& explanation, const Names& names, std::size_t most) {
  PairPanels out;
  for (const PairEffect& pair : explanation.pairs)
    for (const TermShare& term : explanation.terms)
      if (term.features == std::vector{pair.first.feature, pair.second.feature} && term.share >= least_share)
        out.panels.push_back(panel_of(pair, term.share, names));
  std::vector<std::size_t> order(out.panels.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](auto a, auto b) { return out.panels[a].share > out.panels[b].share; });
  order.resize(std::min(most, order.size()));
  std::vector<PairPanel> best;
  for (const std::size_t k : order) best.push_back(out.panels[k]);
  out.panels.swap(best);
  for (const PairPanel& panel : out.panels) out.reach = std::max(out.reach, largest(panel.pair, panel.curve));
  return out;
}

Chart pair_chart(const PairPanel& panel, double reach, const Names& names, const std::string& more) {
  const PairEffect& pair = panel.pair;
  std::vector<double> shares;
  Chart::Points unsure;
  for (std::size_t i = 0; i < panel.up.size(); ++i)
    for (std::size_t j = 0; j < panel.right.size(); ++j) {
      const std::size_t k = panel.at(panel.up[i], panel.right[j]);
      shares.push_back(reach > 0 ? 0.5 + pair.mean[k] / reach / 2 : 0.5);
      if (pair.lower[k] <= 0 && pair.upper[k] >= 0)
        unsure.emplace_back(static_cast<double>(j) + 0.5, static_cast<double>(i) + 0.5);
    }
  Chart chart =
      heat_map(heat_axis(pair.first, panel.up, names), heat_axis(pair.second, panel.right, names), shares,
               "Effect of " + brief(feature_name(names, pair.first.feature), 28) + " and " +
                   brief(feature_name(names, pair.second.feature), 28) + " together" + more);
  chart.marks(unsure, "unsure");
  return chart;
}

}  // namespace induce::detail
