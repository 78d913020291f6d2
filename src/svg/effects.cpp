// A common vertical axis makes effects comparable: a flat panel is a feature without a main effect. A panel that needs far
// more room has an axis of its own, with numbers in red inside it.
#include "svg/effects.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include "describe/values.hpp"
#include "svg/elements.hpp"
#include "text/format.hpp"

namespace induce::detail::svg {
namespace {

constexpr double kEffectLeft = 78, kEffectTop = 124, kPanelWidth = 230, kPanelHeight = 150, kPanelGapX = 26,
                 kPanelGapY = 96;
constexpr std::size_t kColumns = 4, kMostDots = 12;  // a curve with few points shows them
constexpr const char* kCurveColour = "#0d4278";
// Blue, orange, green, purple and nearly black.
constexpr std::array<const char*, kMostEffectClasses> kClassColours{"#0d5ea8", "#d9601a", "#1b8a5a",
                                                                    "#9a4fb0", "#30343b"};
constexpr double kMissingFromRight = 8;
constexpr std::size_t kLongestName = 28, kLongestLegendName = 24;

// What a panel shows: an effect, with names under its points if they are levels.
struct Panel {
  Effect effect;
  std::vector<std::string> levels;
  std::string hidden{};  // levels that are left out, in words
};

// Levels in the order of their effect, a missing value among them.
Panel panel_of(const Effect& effect, const Names& names) {
  if (!has_levels(names, effect.feature)) return {effect, {}};
  const std::size_t points = effect.values.size(), curves = effect.mean.size() / points;
  const bool missing = !effect.missing_mean.empty();
  std::vector<std::string> texts = value_texts(effect, names);
  if (missing) texts.push_back(kMissingValue);
  const auto at = [&](std::size_t c, std::size_t g, const std::vector<double>& of,
                      const std::vector<double>& missing_values) {
    return g < points ? of[c * points + g] : missing_values[c];
  };
  std::vector<std::size_t> all(curves);
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::vector<std::size_t> order = drawn_levels(effect, all, kMostDots);
  Panel panel{{.feature = effect.feature, .values = {}, .mean = {}, .lower = {}, .upper = {}},
              {},
              hidden_levels(effect, names, order)};
  std::stable_sort(order.begin(), order.end(),
                   [&](auto a, auto b) { return mean_at(effect, 0, a) < mean_at(effect, 0, b); });
  for (std::size_t k = 0; k < order.size(); ++k) {
    panel.effect.values.push_back(static_cast<double>(k));
    panel.levels.push_back(texts[order[k]]);
  }
  for (std::size_t c = 0; c < curves; ++c)
    for (const std::size_t g : order) {
      panel.effect.mean.push_back(mean_at(effect, c, g));
      panel.effect.lower.push_back(at(c, g, effect.lower, effect.missing_lower));
      panel.effect.upper.push_back(at(c, g, effect.upper, effect.missing_upper));
    }
  return panel;
}

struct EffectFrame {
  double left, top, x_min, x_max, y_min, y_max;
  double x(double value) const { return left + kPanelWidth * (value - x_min) / (x_max - x_min); }
  double y(double value) const { return top + kPanelHeight * (y_max - value) / (y_max - y_min); }
};

// A feature with a single value still needs a range.
EffectFrame frame_of(const Effect& effect, std::size_t panel, double top, double y_min, double y_max) {
  const double first = effect.values.front(), last = effect.values.back();
  const double share = effect.missing_mean.empty() ? 0.04 : 0.12;  // a missing value is at the right
  const double room = last > first ? share * (last - first) : std::max(1.0, std::fabs(first));
  return {kEffectLeft + static_cast<double>(panel % kColumns) * (kPanelWidth + kPanelGapX),
          top + static_cast<double>(panel / kColumns) * (kPanelHeight + kPanelGapY),
          first - room,
          last + room,
          y_min,
          y_max};
}

// A class whose curves are drawn.
struct DrawnClass {
  std::size_t number = 0;
  std::string colour = kCurveColour;
  double band = .18;  // opacity
};

using Heights = std::vector<double>;

// "x yLx y...": the points of a class, in order of their values.
std::string points_of(const EffectFrame& frame, const Effect& effect, const DrawnClass& drawn,
                      const Heights& heights, bool backwards = false) {
  const std::size_t points = effect.values.size();
  std::string out;
  for (std::size_t k = 0; k < points; ++k) {
    const std::size_t g = backwards ? points - 1 - k : k;
    out += (k ? "L" : "") + pixel(frame.x(effect.values[g])) + " " +
           pixel(frame.y(heights[drawn.number * points + g]));
  }
  return out;
}

std::string draw_band(const EffectFrame& frame, const Effect& effect, const DrawnClass& drawn) {
  return path("M" + points_of(frame, effect, drawn, effect.upper) + "L" +
                  points_of(frame, effect, drawn, effect.lower, true) + "z",
              "fill=\"" + drawn.colour + "\" fill-opacity=\"" + number(drawn.band, 2).substr(1) + "\"");
}

std::string draw_dot(const EffectFrame& frame, double x, double mean, double lower, double upper,
                     const DrawnClass& drawn) {
  return segment(x, frame.y(lower), x, frame.y(upper),
                 "stroke-opacity=\".5\" stroke=\"" + drawn.colour + "\"") +
         circle(x, frame.y(mean), 3, "fill=\"" + drawn.colour + "\"");
}

std::string draw_curve(const EffectFrame& frame, const Effect& effect, const DrawnClass& drawn, bool levels) {
  const std::size_t points = effect.values.size(), first = drawn.number * points;
  const std::string ink = "stroke=\"" + drawn.colour + "\"";
  std::string dots;
  if (points <= kMostDots)
    for (std::size_t g = 0; g < points; ++g)
      dots += draw_dot(frame, frame.x(effect.values[g]), effect.mean[first + g], effect.lower[first + g],
                       effect.upper[first + g], drawn);
  if (!effect.missing_mean.empty())
    dots += draw_dot(frame, frame.left + kPanelWidth - kMissingFromRight, effect.missing_mean[drawn.number],
                     effect.missing_lower[drawn.number], effect.missing_upper[drawn.number], drawn);
  if (levels) return dots;
  return path("M" + points_of(frame, effect, drawn, effect.mean),
              "fill=\"none\" stroke-width=\"2\" stroke-linejoin=\"round\" " + ink) +
         dots;
}

// Slanted names of levels, or "missing" under the dot of a missing value.
std::string draw_names(const EffectFrame& frame, const Panel& panel) {
  const auto slanted = [&](double x, const std::string& text) {
    const double y = frame.top + kPanelHeight + 12;
    return text_at(x, y, "text-anchor=\"end\" font-size=\"10\" transform=\"" + turned(-30, x, y) + "\"",
                   shortened(text, 14));
  };
  std::string out;
  for (std::size_t k = 0; k < panel.levels.size(); ++k)
    out += slanted(frame.x(panel.effect.values[k]) + 3, panel.levels[k]);
  if (!panel.effect.missing_mean.empty())
    out += slanted(frame.left + kPanelWidth - kMissingFromRight + 3, "missing");
  return out;
}

// `inside`: an axis of its own, with its numbers within the panel.
std::string draw_effect_axes(const EffectFrame& frame, bool numbers, bool inside, bool levels) {
  const std::string tick = std::string("stroke=\"") + kFaintInk + "\" stroke-width=\"1\"";
  const double bottom = frame.top + kPanelHeight;
  std::string out;
  if (frame.y_min < 0 && frame.y_max > 0)
    out += segment(frame.left, frame.y(0), frame.left + kPanelWidth, frame.y(0), "stroke=\"#c8cdd3\"");
  out += rectangle(frame.left, frame.top, kPanelWidth, kPanelHeight, "fill=\"none\" " + tick);
  const double step_x = tick_step(frame.x_max - frame.x_min, 4),
               step_y = tick_step(frame.y_max - frame.y_min, 5);
  for (double k = std::ceil(frame.x_min / step_x); !levels && k * step_x <= frame.x_max; ++k) {
    const double x = frame.x(k * step_x);
    out += segment(x, bottom, x, bottom + 4, tick);
    out += text_at(x, bottom + 17, "text-anchor=\"middle\" font-size=\"11\"",
                   readable(std::fabs(k) < 0.5 ? 0 : k * step_x, 4));
  }
  for (double k = std::ceil(frame.y_min / step_y); k * step_y <= frame.y_max; ++k) {
    const double y = frame.y(k * step_y);
    out += segment(frame.left - 4, y, frame.left, y, tick);
    if (numbers)
      out += text_at(inside ? frame.left + 5 : frame.left - 8, y + 4,
                     inside ? "font-size=\"11\" fill=\"#b3261e\"" : "text-anchor=\"end\" font-size=\"11\"",
                     readable(std::fabs(k) < 0.5 ? 0 : k * step_y, 4));
  }
  return out;
}

// All classes, or those whose curves vary most in these panels. Two classes have one curve.
std::vector<DrawnClass> classes_to_draw(const std::vector<const Effect*>& effects) {
  const std::size_t classes = effects.empty() ? 1 : curves_of(*effects[0]).size();
  if (classes == 1) return {DrawnClass()};
  std::vector<double> variation(classes, 0);
  for (const Effect* effect : effects) {
    const auto curves = curves_of(*effect);
    for (std::size_t c = 0; c < classes; ++c) variation[c] += range_of(curves[c]);
  }
  std::vector<std::size_t> chosen(classes);
  std::iota(chosen.begin(), chosen.end(), std::size_t{0});
  std::stable_sort(chosen.begin(), chosen.end(),
                   [&](std::size_t a, std::size_t b) { return variation[a] > variation[b]; });
  chosen.resize(std::min(classes, kMostEffectClasses));
  std::sort(chosen.begin(), chosen.end());
  std::vector<DrawnClass> drawn;
  for (std::size_t k = 0; k < chosen.size(); ++k) drawn.push_back({chosen[k], kClassColours[k], .1});
  return drawn;
}

// What the curves and bands of a panel reach.
struct Extent {
  double low = 0, high = 0;
  double size() const { return high - low; }
  bool holds(const Extent& other) const { return low <= other.low && high >= other.high; }
  Extent with_room() const {
    const double room = high > low ? 0.05 * (high - low) : 1;
    return {low - room, high + room};
  }
};

std::vector<Extent> ranges_of(const std::vector<const Effect*>& effects,
                              const std::vector<DrawnClass>& drawn) {
  std::vector<Extent> ranges;
  for (const Effect* effect : effects) {
    Extent& range = ranges.emplace_back();
    for (const DrawnClass& each : drawn) {
      const auto points = static_cast<std::ptrdiff_t>(effect->values.size());
      const auto first = static_cast<std::ptrdiff_t>(each.number) * points;
      const auto lower = effect->lower.begin() + first, upper = effect->upper.begin() + first;
      range.low = std::min(range.low, *std::min_element(lower, lower + points));
      range.high = std::max(range.high, *std::max_element(upper, upper + points));
      if (effect->missing_mean.empty()) continue;
      range.low = std::min(range.low, effect->missing_lower[each.number]);
      range.high = std::max(range.high, effect->missing_upper[each.number]);
    }
  }
  return ranges;
}

// Of all panels, except those that would make the others flat: more than three times as high as the median.
Extent common_range(const std::vector<Extent>& ranges) {
  std::vector<double> sizes;
  for (const Extent& range : ranges) sizes.push_back(range.size());
  std::nth_element(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2), sizes.end());
  const double median = sizes[sizes.size() / 2];
  Extent common;
  for (const Extent& range : ranges) {
    if (range.size() > 3 * median) continue;
    common.low = std::min(common.low, range.low);
    common.high = std::max(common.high, range.high);
  }
  return common;
}

// A line in its colour and the name of each class; `bottom` becomes the height of the last row of names.
std::string draw_legend(const std::vector<DrawnClass>& drawn, const Names& names, double width,
                        double& bottom) {
  constexpr double sample = 22, gap = 8, letter = 7.4, between = 22, row = 20, word = 48;
  double x = kEffectLeft + word;
  std::string out =
      text_at(kEffectLeft, bottom, std::string("font-size=\"13\" fill=\"") + kFaintInk + "\"", "class");
  for (const DrawnClass& each : drawn) {
    const std::string name = shortened(names.classes[each.number], kLongestLegendName);
    const double needed = sample + gap + letter * static_cast<double>(letters_in(name));
    if (x > kEffectLeft + word && x + needed > width) {
      x = kEffectLeft + word;
      bottom += row;
    }
    out += segment(x, bottom - 5, x + sample, bottom - 5,
                   "stroke-width=\"4\" stroke-linecap=\"round\" stroke=\"" + each.colour + "\"");
    out += text_at(x + sample + gap, bottom, "font-size=\"13\"", name);
    x += needed + between;
  }
  return out;
}

struct Head {
  std::string text;
  double bottom;  // where panels begin
};

Head draw_head(const std::vector<DrawnClass>& drawn, const Names& names, const std::string& scale,
               std::size_t hidden_features, double width) {
  const std::string faint = std::string("fill=\"") + kFaintInk + "\"";
  const std::string rest = "other features averaged; 95 % bands.";
  const std::string hidden =
      hidden_features > 0 ? " " + counted(hidden_features, "less important feature") + " not shown." : "";
  std::string out =
      text_at(kEffectLeft, 36, "font-size=\"20\" font-weight=\"600\"", "What each feature does");
  if (names.classes.size() == 2)
    return {out + text_at(kEffectLeft, 58, faint, "Effect on the " + scale + ", " + rest + hidden),
            kEffectTop};
  const std::string some = drawn.size() < names.classes.size()
                               ? " Classes: the " + std::to_string(drawn.size()) + " of " +
                                     grouped(names.classes.size()) + " whose curves vary most."
                               : "";
  double bottom = 104;
  out += text_at(kEffectLeft, 58, faint, "Effect on the " + scale + ",");
  out += text_at(kEffectLeft, 77, faint, rest + hidden + some);
  out += draw_legend(drawn, names, width, bottom);
  return {out, bottom + 50};
}

}  // namespace

std::vector<std::span<const double>> curves_of(const Effect& effect) {
  const std::span<const double> all(effect.mean);
  const std::size_t points = effect.values.size();
  std::vector<std::span<const double>> curves;
  for (std::size_t first = 0; first < all.size(); first += points)
    curves.push_back(all.subspan(first, points));
  return curves;
}

double range_of(std::span<const double> curve) {
  const auto [low, high] = std::minmax_element(curve.begin(), curve.end());
  return *high - *low;
}

std::string effects_svg(const Explanation& explanation, const Names& names, const std::string& scale) {
  const std::vector<FeatureImportance> sorted = sorted_importance(explanation.importance, names);
  const std::size_t shown = std::min(kMostEffectPanels, sorted.size());
  std::vector<Panel> panels;
  for (std::size_t k = 0; k < shown; ++k)
    panels.push_back(panel_of(explanation.effects[sorted[k].number], names));
  std::vector<const Effect*> effects;
  for (const Panel& panel : panels) effects.push_back(&panel.effect);
  const std::vector<DrawnClass> drawn = classes_to_draw(effects);
  const std::vector<Extent> ranges = ranges_of(effects, drawn);
  const Extent common = common_range(ranges);
  const std::size_t rows = (shown + kColumns - 1) / kColumns, columns = std::min(shown, kColumns);
  const double width = std::max(names.classes.size() == 2 ? 560.0 : 720.0,
                                kEffectLeft + static_cast<double>(columns) * (kPanelWidth + kPanelGapX));
  const auto [head, top] = draw_head(drawn, names, scale, sorted.size() - shown, width);
  const double height = top + static_cast<double>(rows) * (kPanelHeight + kPanelGapY) - 20;

  std::string out = svg::head(width, height, "What each feature does") + head;
  const auto first_with_common_axis = [&](std::size_t k) {
    for (std::size_t left = k - k % kColumns; left < k; ++left)
      if (common.holds(ranges[left])) return false;
    return true;
  };
  for (std::size_t k = 0; k < shown; ++k) {
    const bool own = !common.holds(ranges[k]);
    const Extent range = (own ? ranges[k] : common).with_room();
    const EffectFrame frame = frame_of(*effects[k], k, top, range.low, range.high);
    out += text_at(frame.left, frame.top - (panels[k].hidden.empty() ? 25 : 39),
                   "font-weight=\"600\" font-size=\"13\"", shortened(sorted[k].feature, kLongestName));
    const auto faint = [&](double up, const std::string& text) {
      out += text_at(frame.left, frame.top - up, std::string("font-size=\"12\" fill=\"") + kFaintInk + "\"",
                     text);
    };
    faint(panels[k].hidden.empty() ? 9 : 23,
          "total " + fixed(100 * sorted[k].total, 0) + " %, main " + fixed(100 * sorted[k].main, 0) + " %");
    if (!panels[k].hidden.empty()) faint(9, panels[k].hidden);
    const bool levels = !panels[k].levels.empty();
    out += draw_effect_axes(frame, own || first_with_common_axis(k), own, levels);
    out += draw_names(frame, panels[k]);
    for (const DrawnClass& each : drawn)
      if (!levels) out += draw_band(frame, *effects[k], each);
    for (const DrawnClass& each : drawn) out += draw_curve(frame, *effects[k], each, levels);
  }
  return out + "</svg>\n";
}

}  // namespace induce::detail::svg
