// What each feature does: importance, and the curves of the most important features with their bands.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "page/chart.hpp"
#include "page/html.hpp"
#include "page/parts.hpp"
#include "describe/values.hpp"
#include "text/format.hpp"

namespace induce::detail {
namespace {

constexpr std::size_t most_panels = 12, most_bars = 20, most_listed = 100, most_level_rows = 12,
                      most_curves = 5;
constexpr std::size_t table_points = 9;

// One point of an effect: a value or a level, or a missing value.
struct EffectPoint {
  std::string text;
  double mean, lower, upper;
};

// The points of the curve of one class.
std::vector<EffectPoint> points_of(const Effect& effect, const Names& names, std::size_t curve) {
  std::vector<std::string> texts;
  for (const double value : effect.values) texts.push_back(cell_text(names, effect.feature, value));
  const std::size_t points = effect.values.size();
  std::vector<EffectPoint> out;
  for (std::size_t g = 0; g < points; ++g) {
    const std::size_t at = curve * points + g;
    out.push_back({texts[g], effect.mean[at], effect.lower[at], effect.upper[at]});
  }
  if (!effect.missing_mean.empty())
    out.push_back({kMissingValue, effect.missing_mean[curve], effect.missing_lower[curve],
                   effect.missing_upper[curve]});
  return out;
}

std::size_t curves_in(const Effect& effect) { return effect.mean.size() / effect.values.size(); }

double reach_of(const Effect& effect, std::size_t curve) {
  const auto first = effect.mean.begin() + static_cast<std::ptrdiff_t>(curve * effect.values.size());
  const auto [low, high] =
      std::minmax_element(first, first + static_cast<std::ptrdiff_t>(effect.values.size()));
  return *high - *low;
}

// The classes whose curves are drawn: those that move most. Of two classes, the only curve.
std::vector<std::size_t> drawn_curves(const Explanation& explanation,
                                      const std::vector<FeatureImportance>& sorted) {
  const std::size_t curves = curves_in(explanation.effects[0]);
  std::vector<double> reach(curves, 0);
  for (std::size_t k = 0; k < std::min(sorted.size(), most_panels); ++k)
    for (std::size_t c = 0; c < curves; ++c) reach[c] += reach_of(explanation.effects[sorted[k].number], c);
  std::vector<std::size_t> chosen(curves);
  std::iota(chosen.begin(), chosen.end(), std::size_t{0});
  std::stable_sort(chosen.begin(), chosen.end(), [&](auto a, auto b) { return reach[a] > reach[b]; });
  chosen.resize(std::min(curves, most_curves));
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

std::string series(std::size_t k) { return "s" + std::to_string(k); }

Range range_of_effect(const Effect& effect, const std::vector<std::size_t>& curves) {
  Range range{0, 0};
  const std::size_t points = effect.values.size();
  for (const std::size_t c : curves) {
    for (std::size_t g = c * points; g < (c + 1) * points; ++g)
      range = range.with(effect.lower[g]).with(effect.upper[g]);
    if (!effect.missing_mean.empty())
      range = range.with(effect.missing_lower[c]).with(effect.missing_upper[c]);
  }
  return range;
}

// Of all panels, but not of those that would make the others flat.
Range common_range_of(const std::vector<Range>& ranges) {
  std::vector<double> sizes;
  for (const Range& range : ranges) sizes.push_back(range.size());
  std::nth_element(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2), sizes.end());
  Range common{0, 0};
  for (const Range& range : ranges)
    if (range.size() <= 3 * sizes[sizes.size() / 2]) common = common.with(range.low).with(range.high);
  return common;
}

std::string curve_chart(const Effect& effect, const Column& column, const std::vector<std::size_t>& curves,
                        const Range& y, const std::string& described) {
  const bool missing = !effect.missing_mean.empty();
  const Range values{effect.values.front(), effect.values.back()};
  Range x = values.with_room(0.03);
  const double at_missing = x.high + 0.09 * x.size();
  if (missing) x.high += 0.16 * x.size();
  Chart chart(320, 190, x, y, described, {46, 12, 10, 20});
  chart.y_axis("");
  std::vector<Tick> ticks = column.kind == ColumnKind::date ? date_ticks(values) : round_ticks(values, 4);
  if (missing) ticks.push_back({at_missing, "missing"});
  chart.x_axis("", ticks);
  const std::size_t points = effect.values.size();
  for (std::size_t k = 0; k < curves.size(); ++k) {
    Chart::Points mean, lower, upper;
    for (std::size_t g = 0; g < points; ++g) {
      const std::size_t at = curves[k] * points + g;
      mean.emplace_back(effect.values[g], effect.mean[at]);
      lower.emplace_back(effect.values[g], effect.lower[at]);
      upper.emplace_back(effect.values[g], effect.upper[at]);
    }
    chart.area(upper, lower, series(k));
    chart.line(mean, series(k));
    for (const auto& [value, height] : mean)
      if (points <= most_level_rows) chart.dot(value, height, series(k), 3);
    if (!missing) continue;
    chart.segment(at_missing, effect.missing_lower[curves[k]], at_missing, effect.missing_upper[curves[k]],
                  "whisker");
    chart.dot(at_missing, effect.missing_mean[curves[k]], series(k));
  }
  return chart.svg();
}

// A line for each level that is drawn, in the order of the first curve.
std::string level_chart(const Effect& effect, const Names& names, const std::vector<std::size_t>& curves,
                        std::vector<std::size_t> order, const Range& x, const std::string& described) {
  std::vector<std::vector<EffectPoint>> points;
  for (const std::size_t c : curves) points.push_back(points_of(effect, names, c));
  std::stable_sort(order.begin(), order.end(),
                   [&](auto a, auto b) { return points[0][a].mean > points[0][b].mean; });
  const auto rows = static_cast<double>(order.size());
  Chart chart(320, 26 + 19 * rows, x, {-rows + 0.5, 0.5}, described, {116, 10, 4, 20});
  chart.x_axis("", round_ticks(x, 4), true);
  chart.segment(0, 0.5, 0, -rows + 0.5, "zero");
  for (std::size_t i = 0; i < order.size(); ++i) {
    const double y = -static_cast<double>(i);
    chart.label(x.low, y, -6, 4, "class=\"tick\" text-anchor=\"end\"", brief(points[0][order[i]].text, 18));
    for (std::size_t k = 0; k < curves.size(); ++k) {
      const EffectPoint& point = points[k][order[i]];
      chart.segment(point.lower, y, point.upper, y, "whisker " + series(k));
      chart.dot(point.mean, y, series(k), 4);
    }
  }
  return chart.svg();
}

// What a curve does, in a sentence; `own`: the class, as markup.
std::string in_words(const Effect& effect, const Names& names, std::size_t curve, const std::string& own) {
  const std::vector<EffectPoint> points = points_of(effect, names, curve);
  const std::size_t count = effect.values.size();
  if (count < 2) return "Nearly all rows have one value.";
  const auto by_mean = [](const EffectPoint& a, const EffectPoint& b) { return a.mean < b.mean; };
  const auto end =
      points.begin() + static_cast<std::ptrdiff_t>(has_levels(names, effect.feature) ? points.size() : count);
  const auto low = std::min_element(points.begin(), end, by_mean),
             high = std::max_element(points.begin(), end, by_mean);
  const double reach = high->mean - low->mean;
  if (reach < 0.05) return "On its own it changes next to nothing.";
  if (!has_levels(names, effect.feature)) {
    const double first = points[0].mean, last = points[count - 1].mean;
    if (high->mean - last < 0.05 * reach && first - low->mean < 0.05 * reach)
      return "The higher, the more likely " + own + ".";
    if (high->mean - first < 0.05 * reach && last - low->mean < 0.05 * reach)
      return "The higher, the less likely " + own + ".";
  }
  return own + " is most likely at " + shown_name(high->text, 24) + ", least likely at " +
         shown_name(low->text, 24) + ".";
}

// `levels`: those that are drawn; empty: not a category.
std::string effect_table(const Effect& effect, const Names& names, const std::vector<std::size_t>& curves,
                         const std::vector<std::size_t>& levels) {
  const bool many = curves_in(effect) > 1;
  HtmlTable table{
      "Effect of " + brief(feature_name(names, effect.feature)), {"value", "effect", "95 % band"}, {}};
  if (many) table.header.insert(table.header.begin(), "class");
  for (const std::size_t c : curves) {
    const std::vector<EffectPoint> points = points_of(effect, names, c);
    const std::size_t rows = levels.empty() ? std::min(points.size(), table_points) : levels.size();
    for (std::size_t k = 0; k < rows; ++k) {
      const std::size_t g = !levels.empty()         ? levels[k]
                            : points.size() == rows ? k
                                                    : k * (points.size() - 1) / (rows - 1);
      std::vector<std::string> row{shown_name(points[g].text, 24), fixed(points[g].mean, 2),
                                   fixed(points[g].lower, 2) + " to " + fixed(points[g].upper, 2)};
      if (many) row.insert(row.begin(), shown_name(names.classes[c], 24));
      table.rows.push_back(row);
    }
  }
  return to_html(table);
}

// "8 less important columns are not listed"; nothing if all are.
std::string less_important(std::size_t columns, std::size_t shown, const std::string& how) {
  if (columns <= shown) return "";
  return "<p class=\"quiet\">" + counted(columns - shown, "less important column") +
         (columns - shown == 1 ? " is " : " are ") + how + ".</p>\n";
}

std::string importance_bars(const std::vector<FeatureImportance>& sorted) {
  const double most = std::max(sorted[0].total, 1e-9);
  std::string out =
      "<div class=\"bars\" role=\"list\" aria-label=\"Importance of the features: share of the variation of "
      "the prediction\">\n";
  for (std::size_t k = 0; k < std::min(sorted.size(), most_bars); ++k)
    out += "<div role=\"listitem\"><span>" + shown_name(sorted[k].feature, 28) +
           "</span><span class=\"track\"><i style=\"width:" + fixed(100 * sorted[k].total / most, 1) +
           "%\"><b style=\"width:" +
           fixed(100 * std::min(1.0, sorted[k].main / std::max(sorted[k].total, 1e-12)), 1) +
           "%\"></b></i></span><span>" + percent(sorted[k].total) + "</span></div>\n";
  return out + "</div>\n" + less_important(sorted.size(), most_bars, "without a bar");
}

std::string importance_table(const std::vector<FeatureImportance>& sorted) {
  HtmlTable table{"Importance of the features", {"feature", "alone", "with interactions"}, {}};
  for (std::size_t k = 0; k < std::min(sorted.size(), most_listed); ++k)
    table.rows.push_back(
        {shown_name(sorted[k].feature), percent(sorted[k].main, 1), percent(sorted[k].total, 1)});
  return to_html(table) + less_important(sorted.size(), most_listed, "not listed");
}

std::string legend(const Names& names, const std::vector<std::size_t>& curves) {
  std::string out = "<p class=\"legend\">";
  for (std::size_t k = 0; k < curves.size(); ++k)
    out +=
        "<span><i class=\"" + series(k) + "\"></i>" + shown_name(names.classes[curves[k]], 24) + "</span> ";
  if (curves.size() < names.classes.size())
    out += "<span>(the " + std::to_string(curves.size()) + " of " + grouped(names.classes.size()) +
           " classes that move most)</span>";
  return out + "</p>\n";
}

}  // namespace

std::string effects_part(const Model& model, const Explanation& explanation, bool training_rows) {
  const Names& names = model.names();
  const bool many = model.classes() > 2;
  const std::vector<FeatureImportance> sorted = sorted_importance(explanation.importance, names);
  const std::vector<std::size_t> curves = drawn_curves(explanation, sorted);
  const std::size_t panels = std::min(sorted.size(), most_panels);
  std::vector<Range> ranges;
  for (std::size_t k = 0; k < panels; ++k)
    ranges.push_back(range_of_effect(explanation.effects[sorted[k].number], curves));
  const Range common = common_range_of(ranges);

  std::string markup =
      importance_bars(sorted) + folded("All importances as a table", importance_table(sorted));
  if (many) markup += legend(names, curves);
  markup += "<div class=\"panels\">\n";
  for (std::size_t k = 0; k < panels; ++k) {
    const Effect& effect = explanation.effects[sorted[k].number];
    const bool own_scale = ranges[k].low < common.low || ranges[k].high > common.high;
    const Range y = (own_scale ? ranges[k] : common).with_room(0.05);
    const std::size_t most_moved = *std::max_element(curves.begin(), curves.end(), [&](auto a, auto b) {
      return reach_of(effect, a) < reach_of(effect, b);
    });
    const std::string words =
        negligible(sorted[k])
            ? "It changes next to nothing, compared with other columns."
            : in_words(effect, names, most_moved,
                       "<b>" + shown_name(names.classes[many ? most_moved : 1], 24) + "</b>");
    const bool levels = has_levels(names, effect.feature);
    const std::vector<std::size_t> drawn =
        levels ? drawn_levels(effect, curves, most_level_rows) : std::vector<std::size_t>();
    const std::string hidden = levels ? hidden_levels(effect, names, drawn) : "";
    const std::string described =
        "Effect of " + brief(feature_name(names, effect.feature)) + "; the table below has its numbers.";
    const Column column = names.columns.empty() ? Column{} : names.columns[effect.feature];
    markup += "<figure class=\"card\"><figcaption><strong>" + shown_name(sorted[k].feature, 32) +
              "</strong> <span class=\"quiet\">" + percent(sorted[k].total) + " of the variation" +
              (own_scale ? ", own scale" : "") + "</span><br>" + words +
              (hidden.empty() ? "" : " <span class=\"quiet\">" + hidden + ".</span>") + "</figcaption>" +
              (levels ? level_chart(effect, names, curves, drawn, y, described)
                      : curve_chart(effect, column, curves, y, described)) +
              folded("As a table", effect_table(effect, names, curves, drawn)) + "</figure>\n";
  }
  markup += "</div>\n" + less_important(sorted.size(), most_panels, "without a chart");
  const std::string scale =
      many ? "A curve above 0 makes its class more likely than it is on average, a curve below 0 less likely."
      : model.likelihood() == "logistic" ? "Above 0 a value makes " + shown_name(names.classes[1], 24) +
                                               " more likely, below 0 less likely. One step of 1 multiplies "
                                               "the odds by 2.7; a step of 0.7 doubles them."
                                         : "Above 0 a value makes " + shown_name(names.classes[1], 24) +
                                               " more likely, below 0 less likely.";
  return section("effects", "What matters, and how",
                 "Long bars are the columns that move the prediction most; the dark part is what a column "
                 "does by itself, the "
                 "light part what it does together with others. Each chart shows one column while the others "
                 "vary as they do in the " +
                     std::string(training_rows ? "training rows" : "rows given") +
                     ", with the range in which the truth lies with 95 % "
                     "probability (the band). " +
                     scale + " This is what the model has learned, not necessarily a cause.",
                 markup);
}

}  // namespace induce::detail
