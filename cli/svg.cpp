// How the picture is laid out and drawn. Bands are painted from the lowest level up, each over the one
// before, so that no seams show between them. Blue and orange stay apart for colour-blind eyes and in
// grey; the classes differ in shape too.
#include "svg.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string_view>

#include "text.hpp"

namespace induce::cli {
namespace {

constexpr double kWidth = 960, kHeight = 760;
constexpr double kLeft = 74, kTop = 92, kPlotWidth = 610, kPlotHeight = 610;
constexpr double kLegendLeft = kLeft + kPlotWidth + 40;
constexpr double kBarTop = 330, kBarHeight = kTop + kPlotHeight - kBarTop, kBarWidth = 22;
constexpr int kBands = 20;
constexpr const char* kInk = "#22272e";
constexpr const char* kFaintInk = "#5b6470";
constexpr std::array<const char*, 2> kPointColour{"#0d4278", "#9c3f00"};

struct Rgb {
  double r, g, b;
};

// Blue over off-white to orange, even in lightness on both sides.
constexpr std::array<Rgb, 7> kPalette{{{92, 152, 206},
                                       {142, 187, 224},
                                       {196, 219, 238},
                                       {247, 246, 242},
                                       {251, 218, 178},
                                       {247, 182, 115},
                                       {238, 146, 62}}};

std::string number(double value, int digits) {
  char text[40];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  std::string result(text);
  if (result.find('.') != std::string::npos) {
    result.erase(result.find_last_not_of('0') + 1);
    if (result.back() == '.') result.pop_back();
  }
  return result == "-0" ? "0" : result;
}

std::string pixel(double value) { return number(value, 1); }

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

std::string escape(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (c == '"')
      result += "&quot;";
    else
      result += c;
  }
  return result;
}

// From the units of the data to pixels; y points up in the data and down on the page.
struct Frame {
  const Grid& box;
  double x(double value) const { return kLeft + kPlotWidth * (value - box.x_min) / (box.x_max - box.x_min); }
  double y(double value) const { return kTop + kPlotHeight * (box.y_max - value) / (box.y_max - box.y_min); }
  bool holds(const Point& p) const {
    return p.x >= box.x_min && p.x <= box.x_max && p.y >= box.y_min && p.y <= box.y_max;
  }
};

// Lines as one path, in whole tenths of a pixel and relative steps so that the file stays small.
std::string path_of(const std::vector<Line>& lines, const Frame& frame, bool closed) {
  std::string path;
  for (const Line& line : lines) {
    Line pixels;
    for (const Point& p : line) pixels.push_back({frame.x(p.x), frame.y(p.y)});
    pixels = simplify(pixels, 0.12);
    if (pixels.size() < 2) continue;
    long last_x = std::lround(pixels[0].x * 10), last_y = std::lround(pixels[0].y * 10);
    path +=
        "M" + pixel(static_cast<double>(last_x) / 10) + " " + pixel(static_cast<double>(last_y) / 10) + "l";
    bool first = true;
    for (std::size_t k = 1; k < pixels.size(); ++k) {
      const long x = std::lround(pixels[k].x * 10), y = std::lround(pixels[k].y * 10);
      if (x == last_x && y == last_y) continue;
      const std::string dx = pixel(static_cast<double>(x - last_x) / 10);
      const std::string dy = pixel(static_cast<double>(y - last_y) / 10);
      path += (first || dx[0] == '-' ? "" : " ") + dx + (dy[0] == '-' ? "" : " ") + dy;
      first = false;
      last_x = x;
      last_y = y;
    }
    if (first) path += "0 0";
    if (closed) path += "z";
  }
  return path;
}

std::string text_at(double x, double y, std::string_view attributes, std::string_view text) {
  return "<text x=\"" + pixel(x) + "\" y=\"" + pixel(y) + "\" " + std::string(attributes) + ">" +
         escape(text) + "</text>\n";
}

std::string segment(double x0, double y0, double x1, double y1, std::string_view attributes) {
  return "<path d=\"M" + pixel(x0) + " " + pixel(y0) + "L" + pixel(x1) + " " + pixel(y1) + "\" " +
         std::string(attributes) + "/>\n";
}

std::string rectangle(double x, double y, double width, double height, std::string_view attributes) {
  return "<rect x=\"" + pixel(x) + "\" y=\"" + pixel(y) + "\" width=\"" + pixel(width) + "\" height=\"" +
         pixel(height) + "\" " + std::string(attributes) + "/>\n";
}

// Class 0 is a dot, class 1 a small triangle of the same weight.
std::string point_mark(const Point& at, std::size_t class_index) {
  if (class_index == 0) return "<circle cx=\"" + pixel(at.x) + "\" cy=\"" + pixel(at.y) + "\" r=\"2.7\"/>\n";
  return "<path d=\"M" + pixel(at.x) + " " + pixel(at.y - 3.5) + "l3.2 5.5h-6.4z\"/>\n";
}

std::string point_style(std::size_t class_index) {
  return std::string("fill=\"") + kPointColour[class_index] +
         "\" fill-opacity=\".75\" stroke=\"#fff\" stroke-width=\".6\" stroke-opacity=\".85\"";
}

std::string diamond(const Point& at) { return "M" + pixel(at.x) + " " + pixel(at.y - 7) + "l7 7-7 7-7-7z"; }

std::string inducing_marks(const std::vector<Point>& places) {
  std::string path;
  for (const Point& at : places) path += diamond(at);
  const std::string shape = "<path d=\"" + path + "\" fill=\"none\" stroke-linejoin=\"round\" ";
  return shape + "stroke=\"#fff\" stroke-width=\"4.4\" stroke-opacity=\".9\"/>\n" + shape +
         "stroke=\"#111\" stroke-width=\"1.9\"/>\n";
}

constexpr std::string_view kBoundaryStyle =
    "fill=\"none\" stroke=\"#22272e\" stroke-width=\"2.4\" stroke-linejoin=\"round\"";
constexpr std::string_view kConfidentStyle =
    "fill=\"none\" stroke=\"#22272e\" stroke-width=\"1.1\" stroke-dasharray=\"5 4\" stroke-opacity=\".8\"";

std::string draw_surface(const SurfacePicture& picture, const Frame& frame) {
  std::string out =
      rectangle(kLeft, kTop, kPlotWidth, kPlotHeight, "fill=\"" + colour_at(0.5 / kBands) + "\"");
  for (int band = 1; band < kBands; ++band) {
    const double level = static_cast<double>(band) / kBands;
    const std::string path = path_of(region_above(picture.probability, level), frame, true);
    if (path.empty()) continue;
    out +=
        "<path fill=\"" + colour_at(level + 0.5 / kBands) + "\" fill-rule=\"evenodd\" d=\"" + path + "\"/>\n";
  }
  return out;
}

std::string draw_contour(const SurfacePicture& picture, const Frame& frame, double level,
                         std::string_view style) {
  const std::string path = path_of(contour_lines(picture.probability, level), frame, false);
  return path.empty() ? "" : "<path d=\"" + path + "\" " + std::string(style) + "/>\n";
}

// A step of 1, 2 or 5 times a power of ten that gives about eight ticks.
double tick_step(double range) {
  const double rough = range / 8, power = std::pow(10.0, std::floor(std::log10(rough)));
  const double lead = rough / power;
  return power * (lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10);
}

std::string draw_axes(const SurfacePicture& picture, const Frame& frame) {
  const Grid& box = picture.probability;
  const double bottom = kTop + kPlotHeight;
  const std::string tick = std::string("stroke=\"") + kInk + "\" stroke-width=\"1\"";
  std::string out = rectangle(kLeft, kTop, kPlotWidth, kPlotHeight, "fill=\"none\" " + tick);
  const double step_x = tick_step(box.x_max - box.x_min), step_y = tick_step(box.y_max - box.y_min);
  for (double k = std::ceil(box.x_min / step_x); k * step_x <= box.x_max; ++k) {
    const double x = frame.x(k * step_x);
    out += segment(x, bottom, x, bottom + 6, tick);
    out += text_at(x, bottom + 22, "text-anchor=\"middle\"", number(k * step_x, 6));
  }
  for (double k = std::ceil(box.y_min / step_y); k * step_y <= box.y_max; ++k) {
    const double y = frame.y(k * step_y);
    out += segment(kLeft - 6, y, kLeft, y, tick);
    out += text_at(kLeft - 11, y + 4.5, "text-anchor=\"end\"", number(k * step_y, 6));
  }
  const double middle = kTop + kPlotHeight / 2;
  out += text_at(kLeft + kPlotWidth / 2, bottom + 44, "text-anchor=\"middle\"", picture.axes[0]);
  out += text_at(
      kLeft - 46, middle,
      "text-anchor=\"middle\" transform=\"rotate(-90 " + pixel(kLeft - 46) + " " + pixel(middle) + ")\"",
      picture.axes[1]);
  return out;
}

std::string draw_legend(const SurfacePicture& picture) {
  const double mark = kLegendLeft + 14, words = kLegendLeft + 40;
  double y = kTop + 10;
  std::string out;
  for (std::size_t c = 0; c < 2; ++c, y += 28) {
    out += "<g " + point_style(c) + " transform=\"translate(" + pixel(mark) + " " + pixel(y) +
           ") scale(1.7)\">" + point_mark({0, 0}, c) + "</g>\n";
    out += text_at(words, y + 5, "", picture.classes[c]);
  }
  out += inducing_marks({{mark, y}});
  out += text_at(words, y + 5, "", counted(picture.inducing.size(), "inducing input"));
  y += 28;
  out += segment(kLegendLeft, y, kLegendLeft + 28, y, kBoundaryStyle);
  out += text_at(words, y + 5, "", "probability 0.5");
  y += 28;
  out += segment(kLegendLeft, y, kLegendLeft + 28, y, kConfidentStyle);
  out += text_at(words, y + 5, "", "probability 0.1 and 0.9");
  return out;
}

std::string draw_colour_bar(const SurfacePicture& picture) {
  std::string out = text_at(kLegendLeft, kBarTop - 36, "", "probability of");
  out += text_at(kLegendLeft, kBarTop - 16, "font-weight=\"600\"", picture.classes[1]);
  const double step = kBarHeight / kBands;
  for (int band = kBands - 1; band >= 0; --band) {  // each reaches down to the end, so that no seam shows
    const double top = kBarTop + (kBands - 1 - band) * step;
    out += rectangle(kLegendLeft, top, kBarWidth, kBarTop + kBarHeight - top,
                     "fill=\"" + colour_at((band + 0.5) / kBands) + "\"");
  }
  const std::string tick = std::string("stroke=\"") + kInk + "\" stroke-width=\"1\"";
  out += rectangle(kLegendLeft, kBarTop, kBarWidth, kBarHeight, "fill=\"none\" " + tick);
  for (const double p : {0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0}) {
    const double y = kBarTop + (1 - p) * kBarHeight;
    out += segment(kLegendLeft + kBarWidth, y, kLegendLeft + kBarWidth + 6, y, tick);
    out += text_at(kLegendLeft + kBarWidth + 12, y + 4.5, "", number(p, 2));
  }
  return out;
}

}  // namespace

std::string to_svg(const SurfacePicture& picture) {
  const Frame frame{picture.probability};
  std::string out =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" +
      pixel(kWidth) + "\" height=\"" + pixel(kHeight) + "\" viewBox=\"0 0 " + pixel(kWidth) + " " +
      pixel(kHeight) + "\" font-family=\"Helvetica Neue, Helvetica, Arial, Liberation Sans, sans-serif\"" +
      " font-size=\"14\" fill=\"" + kInk + "\">\n";
  out += "<title>" + escape(picture.title) + "</title>\n<desc>" + escape(picture.subtitle) + "</desc>\n";
  out += "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n";
  out += text_at(kLeft, 44, "font-size=\"22\" font-weight=\"600\"", picture.title);
  out += text_at(kLeft, 70, std::string("font-size=\"15\" fill=\"") + kFaintInk + "\"", picture.subtitle);
  out += "<clipPath id=\"plot\">" + rectangle(kLeft, kTop, kPlotWidth, kPlotHeight, "") + "</clipPath>\n";
  out += "<g clip-path=\"url(#plot)\">\n" + draw_surface(picture, frame);
  for (const double level : {0.1, 0.9}) out += draw_contour(picture, frame, level, kConfidentStyle);
  for (std::size_t c = 0; c < 2; ++c) {
    out += "<g " + point_style(c) + ">\n";
    for (const Point& p : picture.points[c])
      if (frame.holds(p)) out += point_mark({frame.x(p.x), frame.y(p.y)}, c);
    out += "</g>\n";
  }
  out += draw_contour(picture, frame, 0.5, kBoundaryStyle);
  Line places;
  for (const Point& p : picture.inducing) places.push_back({frame.x(p.x), frame.y(p.y)});
  out += inducing_marks(places) + "</g>\n";
  out += draw_axes(picture, frame) + draw_legend(picture) + draw_colour_bar(picture);
  return out + "</svg>\n";
}

}  // namespace induce::cli
