// A small chart as inline SVG. Colours come from classes: those of page.css, so that they follow the page into the dark and onto
// paper, or those of the style in effects.cpp.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace induce::detail {

struct Range {
  double low = 0, high = 1;
  double size() const { return high - low; }
  Range with(double x) const { return {x < low ? x : low, x > high ? x : high}; }
  Range with_room(double share) const {
    const double room = high > low ? share * (high - low) : 1;
    return {low - room, high + room};
  }
};

struct Tick {
  double at;
  std::string text;
};

class Chart {
 public:
  using Points = std::vector<std::pair<double, double>>;
  struct Margins {
    double left, right, top, bottom;
  };

  // `described`: the picture in words, for those who cannot see it.
  Chart(double width, double height, Range x, Range y, std::string described, const Margins& margins);

  double height() const { return height_; }

  // Numbers at round values, or these.
  void x_axis(const std::string& title, std::vector<Tick> ticks = {}, bool grid = false);
  void y_axis(const std::string& title, std::vector<Tick> ticks = {});
  void line(const Points& points, const std::string& css);
  void area(Points upper, const Points& lower, const std::string& css);
  void dot(double x, double y, const std::string& css, double radius = 3.5);
  // Many small dots as one path, of a stroke with round ends.
  void marks(const Points& points, const std::string& css);
  void segment(double x0, double y0, double x1, double y1, const std::string& css);
  // From corner to corner; `title` is shown when the mouse rests on it.
  void box(double x0, double y0, double x1, double y1, const std::string& attributes,
           const std::string& title = {});
  // The cells of a grid: cell (i, j) from (j, i) to (j + 1, i + 1), in the colour `colour_of[i * columns + j]`. One path for each
  // colour, since a box for each cell takes a page of its own.
  void cells(std::size_t columns, const std::vector<std::string>& colour_of);
  // In pixels from a point of the chart.
  void label(double x, double y, double right, double down, const std::string& css, const std::string& text);

  // A name under a point, at an angle.
  void slanted_label(double x, double y, const std::string& text);

  std::string svg(const std::string& attributes = {}) const;

 private:
  std::string steps(const Points& points) const;
  double px(double x) const;
  double py(double y) const;

  double width_, height_;
  Range x_, y_;
  Margins margins_;
  std::string described_, marks_;
};

std::vector<Tick> round_ticks(Range range, int about);
std::vector<Tick> percent_ticks();
// Three or so, at dates.
std::vector<Tick> date_ticks(Range range);

}  // namespace induce::detail
