// A common vertical axis makes effects comparable: a flat panel is a feature without a main effect.
#include "effects_svg.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "fit_summary.hpp"
#include "svg_parts.hpp"
#include "text.hpp"

namespace induce::cli {
namespace {

constexpr double kEffectLeft = 78, kEffectTop = 112, kPanelWidth = 230, kPanelHeight = 150, kPanelGapX = 26,
                 kPanelGapY = 78;
constexpr std::size_t kColumns = 4, kMostDots = 12;  // a curve with few points shows them
constexpr const char* kCurveColour = "#0d4278";
constexpr std::size_t kLongestName = 18;

struct EffectFrame {
  double left, top, x_min, x_max, y_min, y_max;
  double x(double value) const { return left + kPanelWidth * (value - x_min) / (x_max - x_min); }
  double y(double value) const { return top + kPanelHeight * (y_max - value) / (y_max - y_min); }
};

// A feature with a single value still needs a range.
EffectFrame frame_of(const Effect& effect, std::size_t panel, double y_min, double y_max) {
  const double first = effect.values.front(), last = effect.values.back();
  const double room = last > first ? 0.04 * (last - first) : std::max(1.0, std::fabs(first));
  return {kEffectLeft + static_cast<double>(panel % kColumns) * (kPanelWidth + kPanelGapX),
          kEffectTop + static_cast<double>(panel / kColumns) * (kPanelHeight + kPanelGapY),
          first - room,
          last + room,
          y_min,
          y_max};
}

std::string point_at(const EffectFrame& frame, double x, double y) {
  return pixel(frame.x(x)) + " " + pixel(frame.y(y));
}

std::string draw_curve(const EffectFrame& frame, const Effect& effect) {
  std::string band = "M", line = "M", dots;
  const std::size_t points = effect.values.size();
  for (std::size_t g = 0; g < points; ++g) {
    band += (g ? "L" : "") + point_at(frame, effect.values[g], effect.upper[g]);
    line += (g ? "L" : "") + point_at(frame, effect.values[g], effect.mean[g]);
  }
  for (std::size_t g = points; g-- > 0;) band += "L" + point_at(frame, effect.values[g], effect.lower[g]);
  const std::string ink = std::string("stroke=\"") + kCurveColour + "\"";
  if (points <= kMostDots)
    for (std::size_t g = 0; g < points; ++g) {
      const double x = frame.x(effect.values[g]);
      dots +=
          segment(x, frame.y(effect.lower[g]), x, frame.y(effect.upper[g]), ink + " stroke-opacity=\".5\"") +
          "<circle cx=\"" + pixel(x) + "\" cy=\"" + pixel(frame.y(effect.mean[g])) + "\" r=\"3\" fill=\"" +
          kCurveColour + "\"/>\n";
    }
  return "<path d=\"" + band + "z\" fill=\"" + kCurveColour + "\" fill-opacity=\".18\"/>\n<path d=\"" + line +
         "\" fill=\"none\" stroke-width=\"2\" stroke-linejoin=\"round\" " + ink + "/>\n" + dots;
}

std::string draw_effect_axes(const EffectFrame& frame, bool first) {
  const std::string tick = std::string("stroke=\"") + kFaintInk + "\" stroke-width=\"1\"";
  const double bottom = frame.top + kPanelHeight;
  std::string out;
  if (frame.y_min < 0 && frame.y_max > 0)
    out += segment(frame.left, frame.y(0), frame.left + kPanelWidth, frame.y(0), "stroke=\"#c8cdd3\"");
  out += rectangle(frame.left, frame.top, kPanelWidth, kPanelHeight, "fill=\"none\" " + tick);
  const double step_x = tick_step(frame.x_max - frame.x_min, 4),
               step_y = tick_step(frame.y_max - frame.y_min, 5);
  for (double k = std::ceil(frame.x_min / step_x); k * step_x <= frame.x_max; ++k) {
    const double x = frame.x(k * step_x);
    out += segment(x, bottom, x, bottom + 4, tick);
    out += text_at(x, bottom + 17, "text-anchor=\"middle\" font-size=\"11\"",
                   significant(std::fabs(k) < 0.5 ? 0 : k * step_x, 4));
  }
  for (double k = std::ceil(frame.y_min / step_y); k * step_y <= frame.y_max; ++k) {
    const double y = frame.y(k * step_y);
    out += segment(frame.left - 4, y, frame.left, y, tick);
    if (first)
      out += text_at(frame.left - 8, y + 4, "text-anchor=\"end\" font-size=\"11\"",
                     significant(std::fabs(k) < 0.5 ? 0 : k * step_y, 4));
  }
  return out;
}

std::string shortened(const std::string& name) {
  if (name.size() <= kLongestName) return name;
  std::size_t end = kLongestName - 3;
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0) == 0x80)
    --end;  // not inside a UTF-8 character
  return name.substr(0, end) + "...";
}

}  // namespace

std::string effects_svg(const Explanation& explanation, const Names& names, const std::string& scale) {
  const std::vector<FeatureImportance> sorted = sorted_importance(explanation.importance, names);
  const std::size_t shown = std::min(kMostEffectPanels, sorted.size());
  double low = 0, high = 0;
  for (std::size_t k = 0; k < shown; ++k) {
    const Effect& effect = explanation.effects[sorted[k].number];
    low = std::min(low, *std::min_element(effect.lower.begin(), effect.lower.end()));
    high = std::max(high, *std::max_element(effect.upper.begin(), effect.upper.end()));
  }
  const double room = high > low ? 0.05 * (high - low) : 1;
  const std::size_t rows = (shown + kColumns - 1) / kColumns, columns = std::min(shown, kColumns);
  const double width =
      std::max(560.0, kEffectLeft + static_cast<double>(columns) * (kPanelWidth + kPanelGapX));
  const double height = kEffectTop + static_cast<double>(rows) * (kPanelHeight + kPanelGapY) - 20;

  std::string out = svg_head(width, height, "What each feature does");
  out += text_at(kEffectLeft, 36, "font-size=\"20\" font-weight=\"600\"", "What each feature does");
  std::string note = "Effect on the " + scale + ", other features averaged; 95 % bands.";
  if (sorted.size() > shown)
    note += " " + counted(sorted.size() - shown, "less important feature") + " not shown.";
  out += text_at(kEffectLeft, 58, std::string("fill=\"") + kFaintInk + "\"", note);
  for (std::size_t k = 0; k < shown; ++k) {
    const Effect& effect = explanation.effects[sorted[k].number];
    const EffectFrame frame = frame_of(effect, k, low - room, high + room);
    out += text_at(frame.left, frame.top - 10, "font-weight=\"600\" font-size=\"13\"",
                   shortened(sorted[k].feature));
    out += text_at(
        frame.left + kPanelWidth, frame.top - 10,
        std::string("text-anchor=\"end\" font-size=\"12\" fill=\"") + kFaintInk + "\"",
        "total " + fixed(100 * sorted[k].total, 0) + " %, main " + fixed(100 * sorted[k].main, 0) + " %");
    out += draw_effect_axes(frame, k % kColumns == 0) + draw_curve(frame, effect);
  }
  return out + "</svg>\n";
}

}  // namespace induce::cli
