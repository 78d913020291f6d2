// Bands are painted from the lowest level up, each over the previous one, so that no seams show. Blue and orange are
// distinguishable for colour-blind readers and in greyscale; the classes also differ in shape.
#include "svg/surface.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string_view>

#include "svg/elements.hpp"

namespace induce::detail::svg {
namespace {

constexpr double kMargin = 74, kTop = 118, kPlotWidth = 520, kPlotHeight = 520, kGap = 52;
constexpr double kHeight = kTop + kPlotHeight + 58, kLegendWidth = 220;
constexpr double kBarTop = kTop + 230, kBarHeight = kTop + kPlotHeight - kBarTop, kBarWidth = 22;
constexpr int kBands = 20;
constexpr std::array<const char*, 2> kPointColour{"#0d4278", "#9c3f00"};

// Left edge of panel k; of the legend, if k is the number of panels.
double panel_left(std::size_t k) { return kMargin + static_cast<double>(k) * (kPlotWidth + kGap); }

struct Rgb {
  double r, g, b;
};

// Blue through off-white to orange, symmetric in lightness.
constexpr std::array<Rgb, 7> kPalette{{{92, 152, 206},
                                       {142, 187, 224},
                                       {196, 219, 238},
                                       {247, 246, 242},
                                       {251, 218, 178},
                                       {247, 182, 115},
                                       {238, 146, 62}}};

std::string colour_at(double p) {
  const double position = std::clamp(p, 0.0, 1.0) * (kPalette.size() - 1);
  const std::size_t k = std::min<std::size_t>(static_cast<std::size_t>(position), kPalette.size() - 2);
  const double t = position - static_cast<double>(k);
  const Rgb &a = kPalette[k], &b = kPalette[k + 1];
  char text[8];
  std::snprintf(text, sizeof text, "#%02x%02x%02x", static_cast<unsigned>(std::lround(a.r + t * (b.r - a.r))),
                static_cast<unsigned>(std::lround(a.g + t * (b.g - a.g))),
                static_cast<unsigned>(std::lround(a.b + t * (b.b - a.b))));
  return text;
}

// Maps data units to pixels; y points up in the data and down in SVG.
struct Frame {
  const Grid& box;
  double left;
  double x(double value) const { return left + kPlotWidth * (value - box.x_min) / (box.x_max - box.x_min); }
  double y(double value) const { return kTop + kPlotHeight * (box.y_max - value) / (box.y_max - box.y_min); }
  bool contains(const Point& p) const {
    return p.x >= box.x_min && p.x <= box.x_max && p.y >= box.y_min && p.y <= box.y_max;
  }
};

// Lines as the steps of one path, in tenths of a pixel and relative steps to keep the file small.
std::string steps_along(const std::vector<Line>& lines, const Frame& frame, bool closed) {
  std::string steps;
  for (const Line& line : lines) {
    Line pixels;
    for (const Point& p : line) pixels.push_back({frame.x(p.x), frame.y(p.y)});
    pixels = simplify(pixels, 0.12);
    if (pixels.size() < 2) continue;
    long last_x = std::lround(pixels[0].x * 10), last_y = std::lround(pixels[0].y * 10);
    steps +=
        "M" + pixel(static_cast<double>(last_x) / 10) + " " + pixel(static_cast<double>(last_y) / 10) + "l";
    bool first = true;
    for (std::size_t k = 1; k < pixels.size(); ++k) {
      const long x = std::lround(pixels[k].x * 10), y = std::lround(pixels[k].y * 10);
      if (x == last_x && y == last_y) continue;
      const std::string dx = pixel(static_cast<double>(x - last_x) / 10);
      const std::string dy = pixel(static_cast<double>(y - last_y) / 10);
      steps += (first || dx[0] == '-' ? "" : " ") + dx + (dy[0] == '-' ? "" : " ") + dy;
      first = false;
      last_x = x;
      last_y = y;
    }
    if (first) steps += "0 0";
    if (closed) steps += "z";
  }
  return steps;
}

// A dot for class 0, a triangle of similar size for class 1.
std::string point_mark(const Point& at, std::size_t class_index) {
  if (class_index == 0) return circle(at.x, at.y, 2.7, "");
  return path("M" + pixel(at.x) + " " + pixel(at.y - 3.5) + "l3.2 5.5h-6.4z", "");
}

std::string point_style(std::size_t class_index) {
  return std::string("fill=\"") + kPointColour[class_index] +
         "\" fill-opacity=\".75\" stroke=\"#fff\" stroke-width=\".6\" stroke-opacity=\".85\"";
}

std::string diamond(const Point& at) { return "M" + pixel(at.x) + " " + pixel(at.y - 5) + "l5 5-5 5-5-5z"; }

std::string inducing_marks(const std::vector<Point>& places) {
  std::string steps;
  for (const Point& at : places) steps += diamond(at);
  const std::string outline = "fill=\"none\" stroke-linejoin=\"round\" ";
  return path(steps, outline + "stroke=\"#fff\" stroke-width=\"3.6\" stroke-opacity=\".9\"") +
         path(steps, outline + "stroke=\"#111\" stroke-width=\"1.5\"");
}

constexpr std::string_view kBoundaryStyle =
    "fill=\"none\" stroke=\"#22272e\" stroke-width=\"2.4\" stroke-linejoin=\"round\"";
constexpr std::string_view kConfidentStyle =
    "fill=\"none\" stroke=\"#22272e\" stroke-width=\"1.1\" stroke-dasharray=\"5 4\" stroke-opacity=\".8\"";

std::string draw_surface(const Frame& frame) {
  std::string out =
      rectangle(frame.left, kTop, kPlotWidth, kPlotHeight, "fill=\"" + colour_at(0.5 / kBands) + "\"");
  for (int band = 1; band < kBands; ++band) {
    const double level = static_cast<double>(band) / kBands;
    const std::string steps = steps_along(region_above(frame.box, level), frame, true);
    if (steps.empty()) continue;
    out += path(steps, "fill=\"" + colour_at(level + 0.5 / kBands) + "\" fill-rule=\"evenodd\"");
  }
  return out;
}

std::string draw_contour(const Frame& frame, double level, std::string_view style) {
  const std::string steps = steps_along(contour_lines(frame.box, level), frame, false);
  return steps.empty() ? "" : path(steps, style);
}

std::string draw_axes(const SurfacePicture& picture, const Frame& frame, bool first) {
  const Grid& box = frame.box;
  const double left = frame.left, bottom = kTop + kPlotHeight;
  const std::string tick = std::string("stroke=\"") + kInk + "\" stroke-width=\"1\"";
  std::string out = rectangle(left, kTop, kPlotWidth, kPlotHeight, "fill=\"none\" " + tick);
  const double step_x = tick_step(box.x_max - box.x_min, 8), step_y = tick_step(box.y_max - box.y_min, 8);
  for (double k = std::ceil(box.x_min / step_x); k * step_x <= box.x_max; ++k) {
    const double x = frame.x(k * step_x);
    out += segment(x, bottom, x, bottom + 6, tick);
    out += text_at(x, bottom + 22, "text-anchor=\"middle\"", number(k * step_x, 6));
  }
  for (double k = std::ceil(box.y_min / step_y); k * step_y <= box.y_max; ++k) {
    const double y = frame.y(k * step_y);
    out += segment(left - 6, y, left, y, tick);
    if (first) out += text_at(left - 11, y + 4.5, "text-anchor=\"end\"", number(k * step_y, 6));
  }
  const double middle = kTop + kPlotHeight / 2;
  out += text_at(left + kPlotWidth / 2, bottom + 44, "text-anchor=\"middle\"", picture.axes[0]);
  const std::string upright = "text-anchor=\"middle\" transform=\"" + turned(-90, left - 46, middle) + "\"";
  if (first) out += text_at(left - 46, middle, upright, picture.axes[1]);
  return out;
}

std::string draw_surface_legend(const SurfacePicture& picture, double left) {
  const double mark = left + 14, words = left + 40;
  double y = kTop + 10;
  std::string out;
  for (std::size_t c = 0; c < 2; ++c, y += 28) {
    out += "<g " + point_style(c) + " transform=\"translate(" + pixel(mark) + " " + pixel(y) +
           ") scale(1.7)\">" + point_mark({0, 0}, c) + "</g>\n";
    out += text_at(words, y + 5, "", picture.classes[c]);
  }
  out += inducing_marks({{mark, y}});
  out += text_at(words, y + 5, "", "inducing inputs");
  y += 28;
  out += segment(left, y, left + 28, y, kBoundaryStyle);
  out += text_at(words, y + 5, "", "probability 0.5");
  y += 28;
  out += segment(left, y, left + 28, y, kConfidentStyle);
  out += text_at(words, y + 5, "", "probability 0.1 and 0.9");
  return out;
}

std::string draw_colour_bar(const SurfacePicture& picture, double left) {
  std::string out = text_at(left, kBarTop - 36, "", "probability of");
  out += text_at(left, kBarTop - 16, "font-weight=\"600\"", picture.classes[1]);
  const double step = kBarHeight / kBands;
  for (int band = kBands - 1; band >= 0; --band) {  // each extends to the bottom, so that no seams show
    const double top = kBarTop + (kBands - 1 - band) * step;
    out += rectangle(left, top, kBarWidth, kBarTop + kBarHeight - top,
                     "fill=\"" + colour_at((band + 0.5) / kBands) + "\"");
  }
  const std::string tick = std::string("stroke=\"") + kInk + "\" stroke-width=\"1\"";
  out += rectangle(left, kBarTop, kBarWidth, kBarHeight, "fill=\"none\" " + tick);
  for (const double p : {0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0}) {
    const double y = kBarTop + (1 - p) * kBarHeight;
    out += segment(left + kBarWidth, y, left + kBarWidth + 6, y, tick);
    out += text_at(left + kBarWidth + 12, y + 4.5, "", number(p, 2));
  }
  return out;
}

std::string draw_panel(const SurfacePicture& picture, std::size_t k) {
  const SurfacePanel& panel = picture.panels[k];
  const Frame frame{panel.probability, panel_left(k)};
  const std::string clip = "plot" + std::to_string(k);
  std::string out = text_at(frame.left, kTop - 32, "font-size=\"17\" font-weight=\"600\"", panel.title);
  out += text_at(frame.left, kTop - 11, std::string("fill=\"") + kFaintInk + "\"", panel.subtitle);
  out += "<clipPath id=\"" + clip + "\">" + rectangle(frame.left, kTop, kPlotWidth, kPlotHeight, "") +
         "</clipPath>\n<g clip-path=\"url(#" + clip + ")\">\n" + draw_surface(frame);
  for (const double level : {0.1, 0.9}) out += draw_contour(frame, level, kConfidentStyle);
  for (std::size_t c = 0; c < 2; ++c) {
    out += "<g " + point_style(c) + ">\n";
    for (const Point& p : picture.points[c])
      if (frame.contains(p)) out += point_mark({frame.x(p.x), frame.y(p.y)}, c);
    out += "</g>\n";
  }
  out += draw_contour(frame, 0.5, kBoundaryStyle);
  Line places;
  for (const Point& p : panel.inducing) places.push_back({frame.x(p.x), frame.y(p.y)});
  return out + inducing_marks(places) + "</g>\n" + draw_axes(picture, frame, k == 0);
}

}  // namespace

std::string surface_svg(const SurfacePicture& picture) {
  const double legend = panel_left(picture.panels.size()), width = legend + kLegendWidth;
  std::string out = head(width, kHeight, picture.title);
  out += text_at(kMargin, 42, "font-size=\"22\" font-weight=\"600\"", picture.title);
  for (std::size_t k = 0; k < picture.panels.size(); ++k) out += draw_panel(picture, k);
  return out + draw_surface_legend(picture, legend) + draw_colour_bar(picture, legend) + "</svg>\n";
}

}  // namespace induce::detail::svg
