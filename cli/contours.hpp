// Contours of a function on a regular grid by marching squares: open or closed lines for one level,
// and closed outlines of everything above a level (to be filled). The picture of `induce demo` is
// made of them.
#pragma once

#include <cstddef>
#include <vector>

namespace induce::cli {

struct Point {
  double x = 0;
  double y = 0;
};

using Line = std::vector<Point>;

// values[j * columns + i] is the function at column i (x grows) and row j (y grows).
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

// The outlines of {function >= level}, closed along the border of the grid.
std::vector<Line> region_above(const Grid& grid, double level);

// Fewer points, none further than `tolerance` from the line that was given (Douglas-Peucker).
Line simplify(const Line& line, double tolerance);

}  // namespace induce::cli
