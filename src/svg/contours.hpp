// Contours of a function on a regular grid by marching squares, for the picture of `induce demo`: open or closed
// lines at a level, and closed outlines of the region above a level.
#pragma once

#include <cstddef>
#include <vector>

namespace induce::detail::svg {

struct Point {
  double x = 0;
  double y = 0;
};

using Line = std::vector<Point>;

// values[j * columns + i] is the function at column i and row j; x grows with i, y with j.
struct Grid {
  std::size_t columns = 0;
  std::size_t rows = 0;
  double x_min = 0, x_max = 1, y_min = 0, y_max = 1;
  std::vector<double> values;

  double at(std::size_t i, std::size_t j) const { return values[j * columns + i]; }
  Point place(std::size_t i, std::size_t j) const;
};

// The lines where the function crosses `level`. A closed line repeats its first point.
std::vector<Line> contour_lines(const Grid& grid, double level);

// Outlines of {function >= level}, closed along the border of the grid.
std::vector<Line> region_above(const Grid& grid, double level);

// Drops points so that none is further than `tolerance` from the result (Douglas-Peucker).
Line simplify(const Line& line, double tolerance);

}  // namespace induce::detail::svg
