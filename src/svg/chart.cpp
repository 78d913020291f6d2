#include "svg/chart.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "describe/values.hpp"
#include "text/format.hpp"
#include "svg/elements.hpp"

namespace induce::detail {
namespace {

using svg::pixel;

std::string with_class(const std::string& css) { return "class=\"" + css + "\""; }

}  // namespace

Chart::Chart(double width, double height, Range x, Range y, std::string described, const Margins& margins)
    : width_(width), height_(height), x_(x), y_(y), margins_(margins), described_(std::move(described)) {
  if (!(x_.size() > 0)) x_ = {x_.low - 1, x_.low + 1};
  if (!(y_.size() > 0)) y_ = {y_.low - 1, y_.low + 1};
}

double Chart::px(double x) const {
  const double inside = width_ - margins_.left - margins_.right;
  return margins_.left + inside * (x - x_.low) / x_.size();
}

double Chart::py(double y) const {
  const double inside = height_ - margins_.top - margins_.bottom;
  return margins_.top + inside * (y_.high - y) / y_.size();
}

void Chart::x_axis(const std::string& title, std::vector<Tick> ticks, bool grid) {
  if (ticks.empty()) ticks = round_ticks(x_, 4);
  const double bottom = height_ - margins_.bottom;
  for (const Tick& tick : ticks) {
    if (grid) marks_ += svg::segment(px(tick.at), margins_.top, px(tick.at), bottom, with_class("grid"));
    marks_ += svg::text_at(px(tick.at), bottom + 14, "class=\"tick\" text-anchor=\"middle\"", tick.text);
  }
  marks_ += svg::segment(margins_.left, bottom, width_ - margins_.right, bottom, with_class("axis"));
  if (!title.empty())
    marks_ += svg::text_at((margins_.left + width_ - margins_.right) / 2, height_ - 4,
                           "class=\"title\" text-anchor=\"middle\"", title);
}

void Chart::y_axis(const std::string& title, std::vector<Tick> ticks) {
  if (ticks.empty()) ticks = round_ticks(y_, 4);
  for (const Tick& tick : ticks) {
    marks_ += svg::segment(margins_.left, py(tick.at), width_ - margins_.right, py(tick.at),
                           with_class(tick.at == 0 ? "zero" : "grid"));
    marks_ +=
        svg::text_at(margins_.left - 6, py(tick.at) + 4, "class=\"tick\" text-anchor=\"end\"", tick.text);
  }
  if (title.empty()) return;
  const double middle = (margins_.top + height_ - margins_.bottom) / 2;
  marks_ += svg::text_at(
      11, middle, "class=\"title\" text-anchor=\"middle\" transform=\"" + svg::turned(-90, 11, middle) + "\"",
      title);
}

std::string Chart::steps(const Points& points) const {
  std::string steps;
  for (const auto& [x, y] : points) steps += (steps.empty() ? "M" : "L") + pixel(px(x)) + " " + pixel(py(y));
  return steps;
}

void Chart::line(const Points& points, const std::string& css) {
  marks_ += svg::path(steps(points), with_class("curve " + css));
}

void Chart::area(Points upper, const Points& lower, const std::string& css) {
  upper.insert(upper.end(), lower.rbegin(), lower.rend());
  marks_ += svg::path(steps(upper) + "z", with_class("band " + css));
}

void Chart::dot(double x, double y, const std::string& css, double radius) {
  marks_ += svg::circle(px(x), py(y), radius, with_class("dot " + css));
}

void Chart::marks(const Points& points, const std::string& css) {
  std::string steps;
  for (const auto& [x, y] : points) steps += "M" + pixel(px(x)) + " " + pixel(py(y)) + "h0";
  if (!steps.empty()) marks_ += svg::path(steps, with_class(css));
}

void Chart::segment(double x0, double y0, double x1, double y1, const std::string& css) {
  marks_ += svg::segment(px(x0), py(y0), px(x1), py(y1), with_class(css));
}

void Chart::box(double x0, double y0, double x1, double y1, const std::string& attributes,
                const std::string& title) {
  const double left = std::min(px(x0), px(x1)), top = std::min(py(y0), py(y1));
  marks_ +=
      svg::rectangle(left, top, std::fabs(px(x1) - px(x0)), std::fabs(py(y1) - py(y0)), attributes, title);
}

void Chart::cells(std::size_t columns, const std::vector<std::string>& colour_of) {
  std::map<std::string, std::string> steps_of;
  const std::string width = pixel(px(1) - px(0)), height = pixel(py(0) - py(1));
  for (std::size_t k = 0; k < colour_of.size(); ++k) {
    const std::size_t row = k / columns;
    steps_of[colour_of[k]] += "M" + pixel(px(static_cast<double>(k % columns))) + " " +
                              pixel(py(static_cast<double>(row + 1))) + "h" + width + "v" + height + "h-" +
                              width + "z";
  }
  for (const auto& [colour, steps] : steps_of)
    marks_ += svg::path(steps, "class=\"cells\" fill=\"" + colour + "\"");
}

void Chart::label(double x, double y, double right, double down, const std::string& css,
                  const std::string& text) {
  marks_ += svg::text_at(px(x) + right, py(y) + down, css, text);
}

void Chart::slanted_label(double x, double y, const std::string& text) {
  const double left = px(x) + 4, top = py(y) + 12;
  marks_ += svg::text_at(
      left, top, "class=\"tick\" text-anchor=\"end\" transform=\"" + svg::turned(-38, left, top) + "\"",
      text);
}

std::string Chart::svg(const std::string& attributes) const {
  return "<svg" + attributes + " viewBox=\"0 0 " + pixel(width_) + " " + pixel(height_) +
         "\" role=\"img\" aria-label=\"" + svg::escape(described_) + "\">\n" + marks_ + "</svg>\n";
}

std::vector<Tick> round_ticks(Range range, int about) {
  std::vector<Tick> ticks;
  const double step = svg::tick_step(range.size(), about);
  if (!(step > 0) || !std::isfinite(step)) return {{range.low, readable(range.low, 3)}};
  for (double k = std::ceil(range.low / step - 1e-9); k * step <= range.high + 1e-9 * step; ++k)
    ticks.push_back({k * step, readable(std::fabs(k) < 0.5 ? 0 : k * step, 4)});
  return ticks;
}

std::vector<Tick> percent_ticks() {
  std::vector<Tick> ticks;
  for (int k = 0; k <= 4; ++k) ticks.push_back({0.25 * k, std::to_string(25 * k) + " %"});
  return ticks;
}

std::vector<Tick> date_ticks(Range range) {
  std::vector<Tick> ticks;
  for (const double share : {0.1, 0.5, 0.9}) {
    const double day = std::floor(range.low + share * range.size());
    ticks.push_back({day, date_text(day)});
  }
  return ticks;
}

}  // namespace induce::detail
