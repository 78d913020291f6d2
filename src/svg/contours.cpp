// Marching squares with directed segments. Going round a cell counter-clockwise, a segment starts where the
// corners change from high to low and ends where they change from low to high, so the high side is always on its
// left. Each crossing ends one segment and starts another, so lines are joined by following a map.
#include "svg/contours.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>
#include <utility>

namespace induce::detail::svg {
namespace {

// A crossing is identified by its grid edge: 2 * node for the edge to the right of the node, 2 * node + 1 for the
// edge above it.
using Edge = std::size_t;

struct Crossings {
  std::unordered_map<Edge, Edge> next;
  std::unordered_map<Edge, Point> place;
};

Point between(const Grid& grid, std::size_t i0, std::size_t j0, std::size_t i1, std::size_t j1,
              double level) {
  const double v0 = grid.at(i0, j0), v1 = grid.at(i1, j1);
  const double t = std::clamp((level - v0) / (v1 - v0), 0.0, 1.0);
  const Point a = grid.place(i0, j0), b = grid.place(i1, j1);
  return {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
}

void march_cell(const Grid& grid, std::size_t i, std::size_t j, double level, Crossings& found) {
  const std::array<std::size_t, 4> ci{i, i + 1, i + 1, i}, cj{j, j, j + 1, j + 1};
  const std::array<Edge, 4> edge{2 * (j * grid.columns + i), 2 * (j * grid.columns + i + 1) + 1,
                                 2 * ((j + 1) * grid.columns + i), 2 * (j * grid.columns + i) + 1};
  std::array<bool, 4> high{};
  double sum = 0;
  for (std::size_t k = 0; k < 4; ++k) {
    high[k] = grid.at(ci[k], cj[k]) >= level;
    sum += grid.at(ci[k], cj[k]);
  }
  const bool centre_high = sum / 4 >= level;
  const bool saddle = high[0] == high[2] && high[1] == high[3] && high[0] != high[1];
  for (std::size_t out = 0; out < 4; ++out) {
    if (!high[out] || high[(out + 1) % 4]) continue;
    std::size_t in = out;  // the edge where low changes to high
    if (saddle) {
      in = centre_high ? (out + 1) % 4 : (out + 3) % 4;
    } else {
      while (high[in] || !high[(in + 1) % 4]) in = (in + 1) % 4;
    }
    found.next[edge[out]] = edge[in];
    for (const std::size_t k : {out, in}) {
      const std::size_t l = (k + 1) % 4;
      found.place[edge[k]] = between(grid, ci[k], cj[k], ci[l], cj[l], level);
    }
  }
}

std::vector<Line> join(Crossings found) {
  std::vector<Edge> starts;  // ends of open lines first, then one crossing of each closed line
  std::unordered_map<Edge, bool> has_previous;
  for (const auto& [from, to] : found.next) has_previous[to] = true;
  for (const auto& [from, to] : found.next) starts.push_back(from);
  std::sort(starts.begin(), starts.end());
  std::stable_partition(starts.begin(), starts.end(), [&](Edge e) { return !has_previous.contains(e); });

  std::vector<Line> lines;
  for (const Edge start : starts) {
    Line line;
    auto step = found.next.find(start);
    if (step == found.next.end()) continue;
    line.push_back(found.place.at(start));
    while (step != found.next.end()) {
      const Edge to = step->second;
      line.push_back(found.place.at(to));
      found.next.erase(step);
      step = found.next.find(to);
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

double distance_to_segment(const Point& p, const Point& a, const Point& b) {
  const double dx = b.x - a.x, dy = b.y - a.y;
  const double length2 = dx * dx + dy * dy;
  const double t = length2 > 0 ? std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / length2, 0.0, 1.0) : 0.0;
  return std::hypot(p.x - a.x - t * dx, p.y - a.y - t * dy);
}

}  // namespace

Point Grid::place(std::size_t i, std::size_t j) const {
  return {x_min + (x_max - x_min) * static_cast<double>(i) / static_cast<double>(columns - 1),
          y_min + (y_max - y_min) * static_cast<double>(j) / static_cast<double>(rows - 1)};
}

std::vector<Line> contour_lines(const Grid& grid, double level) {
  Crossings found;
  for (std::size_t j = 0; j + 1 < grid.rows; ++j)
    for (std::size_t i = 0; i + 1 < grid.columns; ++i) march_cell(grid, i, j, level, found);
  return join(std::move(found));
}

std::vector<Line> region_above(const Grid& grid, double level) {
  // A frame of low values around the grid closes every line; its points are then pulled back onto
  // the border, where they belong.
  Grid framed;
  framed.columns = grid.columns + 2;
  framed.rows = grid.rows + 2;
  const double step_x = (grid.x_max - grid.x_min) / static_cast<double>(grid.columns - 1);
  const double step_y = (grid.y_max - grid.y_min) / static_cast<double>(grid.rows - 1);
  framed.x_min = grid.x_min - step_x;
  framed.x_max = grid.x_max + step_x;
  framed.y_min = grid.y_min - step_y;
  framed.y_max = grid.y_max + step_y;
  const double low = std::min(level, *std::min_element(grid.values.begin(), grid.values.end())) - 1;
  framed.values.assign(framed.columns * framed.rows, low);
  for (std::size_t j = 0; j < grid.rows; ++j)
    for (std::size_t i = 0; i < grid.columns; ++i)
      framed.values[(j + 1) * framed.columns + i + 1] = grid.at(i, j);

  std::vector<Line> lines = contour_lines(framed, level);
  for (Line& line : lines) {
    for (Point& p : line) {
      p.x = std::clamp(p.x, grid.x_min, grid.x_max);
      p.y = std::clamp(p.y, grid.y_min, grid.y_max);
    }
  }
  return lines;
}

Line simplify(const Line& line, double tolerance) {
  if (line.size() < 3) return line;
  std::vector<bool> keep(line.size(), false);
  keep.front() = keep.back() = true;
  std::vector<std::pair<std::size_t, std::size_t>> open{{0, line.size() - 1}};
  while (!open.empty()) {
    const auto [first, last] = open.back();
    open.pop_back();
    double worst = tolerance;
    std::size_t split = 0;
    for (std::size_t k = first + 1; k < last; ++k) {
      const double off = distance_to_segment(line[k], line[first], line[last]);
      if (off > worst) {
        worst = off;
        split = k;
      }
    }
    if (split == 0) continue;
    keep[split] = true;
    open.emplace_back(first, split);
    open.emplace_back(split, last);
  }
  Line result;
  for (std::size_t k = 0; k < line.size(); ++k)
    if (keep[k]) result.push_back(line[k]);
  return result;
}

}  // namespace induce::detail::svg
