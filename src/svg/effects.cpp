#include "svg/effects.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "svg/elements.hpp"
#include "svg/pairs.hpp"
#include "text/format.hpp"

namespace induce::detail {
namespace {

constexpr std::size_t most_dots = 12;  // a curve with few points shows them
constexpr double chart_width = 320;

std::vector<std::size_t> curves_that_move_most(const Explanation& explanation,
                                               const std::vector<FeatureImportance>& shown) {
  const std::size_t curves = curves_in(explanation.effects[0]);
  std::vector<double> reach(curves, 0);
  for (const FeatureImportance& feature : shown)
    for (std::size_t c = 0; c < curves; ++c)
      reach[c] += reach_of(curve_of(explanation.effects[feature.number], c));
  std::vector<std::size_t> chosen(curves);
  std::iota(chosen.begin(), chosen.end(), std::size_t{0});
  std::stable_sort(chosen.begin(), chosen.end(), [&](auto a, auto b) { return reach[a] > reach[b]; });
  chosen.resize(std::min(curves, most_effect_curves));
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

// What curves and bands reach.
Range range_of(const Effect& effect, const std::vector<std::size_t>& curves) {
  Range range{0, 0};
  for (const std::size_t c : curves)
    for (std::size_t g = 0; g < points_in(effect); ++g) {
      const EffectPoint point = point_of(effect, c, g);
      range = range.with(point.lower).with(point.upper);
    }
  return range;
}

// The range of all panels except those that would make the others flat.
Range common_range_of(const std::vector<Range>& ranges) {
  std::vector<double> sizes;
  for (const Range& range : ranges) sizes.push_back(range.size());
  std::nth_element(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2), sizes.end());
  Range common{0, 0};
  for (const Range& range : ranges)
    if (range.size() <= 3 * sizes[sizes.size() / 2]) common = common.with(range.low).with(range.high);
  return common;
}

std::string series(std::size_t k) { return "s" + std::to_string(k); }

Chart curve_chart(const EffectPanel& panel, const std::vector<std::size_t>& curves,
                  const std::string& described) {
  const Effect& effect = panel.effect;
  const bool missing = !effect.missing_mean.empty();
  const Range values{effect.values.front(), effect.values.back()};
  Range x = values.with_room(0.03);
  const double at_missing = x.high + 0.09 * x.size();
  if (missing) x.high += 0.16 * x.size();
  Chart chart(chart_width, 190, x, panel.axis, described, {46, 12, 10, 20});
  chart.y_axis("");
  std::vector<Tick> ticks =
      panel.column.kind == ColumnKind::date ? date_ticks(values) : round_ticks(values, 4);
  if (missing) ticks.push_back({at_missing, "missing"});
  chart.x_axis("", ticks);
  const std::size_t points = effect.values.size();
  for (std::size_t k = 0; k < curves.size(); ++k) {
    Chart::Points mean, lower, upper;
    for (std::size_t g = 0; g < points; ++g) {
      const EffectPoint point = point_of(effect, curves[k], g);
      mean.emplace_back(effect.values[g], point.mean);
      lower.emplace_back(effect.values[g], point.lower);
      upper.emplace_back(effect.values[g], point.upper);
    }
    chart.area(upper, lower, series(k));
    chart.line(mean, series(k));
    for (const auto& [value, height] : mean)
      if (points <= most_dots) chart.dot(value, height, series(k), 3);
    if (!missing) continue;
    const EffectPoint gap = point_of(effect, curves[k], points);
    chart.segment(at_missing, gap.lower, at_missing, gap.upper, "whisker");
    chart.dot(at_missing, gap.mean, series(k));
  }
  return chart;
}

// A line for each level that is drawn, in the order of the first curve.
Chart level_chart(const EffectPanel& panel, const std::vector<std::size_t>& curves, const Names& names,
                  const std::string& described) {
  const Effect& effect = panel.effect;
  const Range& x = panel.axis;
  std::vector<std::size_t> order = panel.levels;
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) {
    return point_of(effect, curves[0], a).mean > point_of(effect, curves[0], b).mean;
  });
  const auto rows = static_cast<double>(order.size());
  Chart chart(chart_width, 26 + 19 * rows, x, {-rows + 0.5, 0.5}, described, {116, 10, 4, 20});
  chart.x_axis("", round_ticks(x, 4), true);
  chart.segment(0, 0.5, 0, -rows + 0.5, "zero");
  for (std::size_t i = 0; i < order.size(); ++i) {
    const double y = -static_cast<double>(i);
    chart.label(x.low, y, -6, 4, "class=\"tick\" text-anchor=\"end\"",
                brief(point_text(effect, names, order[i]), 18));
    for (std::size_t k = 0; k < curves.size(); ++k) {
      const EffectPoint point = point_of(effect, curves[k], order[i]);
      chart.segment(point.lower, y, point.upper, y, "whisker " + series(k));
      chart.dot(point.mean, y, series(k), 4);
    }
  }
  return chart;
}

// The classes of charts, as in page.css; blue, orange, green, purple and grey are told apart by the colour-blind.
constexpr std::array<const char*, most_effect_curves> colours{"#1c5fa8", "#d2691e", "#1b8a5a", "#9a4fb0",
                                                              "#4b5360"};
std::string style() {
  std::string css =
      ".tick{font-size:11px;fill:#5b6470}.axis,.zero{stroke:#5b6470;fill:none}.zero{opacity:.6}"
      ".grid{stroke:#eceef1}.curve{fill:none;stroke-width:2.2;stroke-linejoin:round}.band{opacity:.16}"
      ".whisker{stroke:#1c5fa8;stroke-width:1.6;opacity:.6}.cells{shape-rendering:crispEdges}"
      ".unsure{stroke:#5a6372;stroke-width:2.4;stroke-linecap:round;opacity:.55;fill:none}";
  for (std::size_t k = 0; k < colours.size(); ++k) {
    const std::string own = "." + series(k), colour = colours[k];
    css += ".curve" + own + ",.whisker" + own + "{stroke:" + colour + "}.dot" + own + ",.band" + own +
           "{fill:" + colour + "}";
  }
  return "<style>" + css + "</style>\n";
}

constexpr std::size_t panels_in_a_line = 3;
constexpr double left = 24, gap = 22, page_width = left + panels_in_a_line * (chart_width + gap);
const std::string faint = std::string("fill=\"") + svg::kFaintInk + "\"";

// Panels from left to right, line after line.
class Flow {
 public:
  explicit Flow(double top) : top_(top) {}

  // `about`: lines under the title.
  std::string panel(const std::string& title, const std::vector<std::string>& about, const Chart& chart) {
    if (in_line_ == panels_in_a_line) end_line();
    const double x = left + static_cast<double>(in_line_++) * (chart_width + gap);
    double down = 14;
    std::string out = svg::text_at(x, top_ + down, "font-weight=\"600\" font-size=\"13\"", title);
    for (const std::string& line : about)
      out += svg::text_at(x, top_ + (down += line_height), faint + " font-size=\"12\"", line);
    down += 7;
    tallest_ = std::max(tallest_, down + chart.height());
    return out + chart.svg(" x=\"" + svg::pixel(x) + "\" y=\"" + svg::pixel(top_ + down) + "\" width=\"" +
                           svg::pixel(chart_width) + "\" height=\"" + svg::pixel(chart.height()) + "\"");
  }
  std::string heading(const std::string& title, const std::string& about) {
    end_line();
    top_ += 52;
    return svg::text_at(left, top_ - 30, "font-size=\"16\" font-weight=\"600\"", title) +
           svg::text_at(left, top_ - 11, faint, about);
  }
  double bottom() const { return top_ + tallest_ + gap; }

 private:
  void end_line() {
    top_ = bottom();
    tallest_ = 0;
    in_line_ = 0;
  }

  static constexpr double line_height = 16;
  double top_, tallest_ = 0;
  std::size_t in_line_ = 0;
};

}  // namespace

EffectPanels effect_panels(const Explanation& explanation, const Names& names) {
  std::vector<FeatureImportance> sorted = sorted_importance(explanation.importance, names);
  const std::size_t features = sorted.size();
  sorted.resize(std::min(features, most_effect_panels));
  EffectPanels out{curves_that_move_most(explanation, sorted), {}, features - sorted.size()};
  std::vector<Range> ranges;
  for (const FeatureImportance& feature : sorted)
    ranges.push_back(range_of(explanation.effects[feature.number], out.curves));
  const Range common = common_range_of(ranges);
  for (std::size_t k = 0; k < sorted.size(); ++k) {
    const Effect& effect = explanation.effects[sorted[k].number];
    const bool own_scale = ranges[k].low < common.low || ranges[k].high > common.high;
    EffectPanel panel{sorted[k], effect, names.columns.empty() ? Column{} : names.columns[effect.feature],
                      {},        {},     (own_scale ? ranges[k] : common).with_room(0.05),
                      own_scale};
    if (panel.column.has_levels()) {
      panel.levels = drawn_levels(effect, out.curves, most_dots);
      panel.hidden = hidden_levels(effect, names, panel.levels);
    }
    out.panels.push_back(std::move(panel));
  }
  return out;
}

Chart effect_chart(const EffectPanel& panel, const std::vector<std::size_t>& curves, const Names& names,
                   const std::string& more) {
  const std::string described = "Effect of " + brief(panel.importance.feature) + more;
  return panel.column.has_levels() ? level_chart(panel, curves, names, described)
                                   : curve_chart(panel, curves, described);
}

std::string effects_svg(const Explanation& explanation, const Names& names, const std::string& scale) {
  const auto [curves, panels, left_out] = effect_panels(explanation, names);
  const bool many = curves_in(explanation.effects[0]) > 1;
  std::string out = svg::text_at(left, 36, "font-size=\"20\" font-weight=\"600\"", "What each feature does");
  out += svg::text_at(left, 58, faint, "Effect on the " + scale + ",");
  out += svg::text_at(
      left, 77, faint,
      "other features averaged; 95 % bands." +
          (left_out > 0 ? " " + counted(left_out, "less important feature") + " not shown." : "") +
          (many && curves.size() < names.classes.size()
               ? " Classes: the " + std::to_string(curves.size()) + " of " + grouped(names.classes.size()) +
                     " whose curves vary most."
               : ""));
  for (std::size_t k = 0; many && k < curves.size(); ++k) {
    const double x = left + 204 * static_cast<double>(k);
    out += svg::segment(x, 99, x + 22, 99,
                        "stroke-width=\"4\" stroke-linecap=\"round\" class=\"curve " + series(k) + "\"");
    out += svg::text_at(x + 30, 104, "font-size=\"12\"", brief(names.classes[curves[k]], 24));
  }
  Flow flow(many ? 128 : 100);
  for (const EffectPanel& panel : panels) {
    std::vector<std::string> about{(panel.own_scale ? "own scale, total " : "total ") +
                                   fixed(100 * panel.importance.total, 0) + " %, main " +
                                   fixed(100 * panel.importance.main, 0) + " %"};
    if (!panel.hidden.empty()) about.push_back(panel.hidden);
    out += flow.panel(brief(panel.importance.feature), about, effect_chart(panel, curves, names));
  }
  if (const auto [reach, pairs] = pair_panels(explanation, names, most_pair_panels); !pairs.empty()) {
    out += flow.heading("What two features do together, beyond the curves above",
                        "Blue: less likely, orange: more, from " + fixed(-reach, 1) + " to " +
                            fixed(reach, 1) + ". A dot: the 95 % band has 0 in it.");
    for (const PairPanel& panel : pairs) {
      std::vector<std::string> about{"share " + fixed(100 * panel.share, 0) + " %" +
                                     (many ? ", " + brief(names.classes[panel.curve], 24) : "")};
      if (!panel.hidden.empty()) about.push_back(panel.hidden);
      out += flow.panel(brief(feature_name(names, panel.pair.first.feature), 20) + " (up) and " +
                            brief(feature_name(names, panel.pair.second.feature), 20) + " (right)",
                        about, pair_chart(panel, reach, names));
    }
  }
  return svg::head(page_width, flow.bottom(), "What each feature does") + style() + out + "</svg>\n";
}

}  // namespace induce::detail
