#include "svg/heat_map.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "text/format.hpp"

namespace induce::detail {
namespace {

constexpr std::size_t most_names = 8;

std::vector<Tick> ticks_of(const HeatAxis& axis, std::size_t letters) {
  std::vector<Tick> ticks;
  const std::size_t count = axis.names.size(), numbers = count - axis.last;
  const std::size_t step = axis.all || numbers <= most_names ? 1 : (numbers - 1) / 3;
  const auto add = [&](std::size_t k) {
    ticks.push_back({static_cast<double>(k) + 0.5, brief(axis.names[k], letters)});
  };
  for (std::size_t k = 0; k < numbers; k += step) add(k);
  if (axis.last) add(count - 1);
  return ticks;
}

std::string heat_colour(double share) {
  constexpr double stops[5][3] = {
      {33, 102, 172}, {146, 197, 222}, {247, 247, 247}, {253, 184, 99}, {179, 88, 6}};
  constexpr double shades = 32;
  const double at = 4 * std::round(shades * std::clamp(share, 0.0, 1.0)) / shades;
  const int k = std::min(3, static_cast<int>(at));
  std::string out = "#";
  for (int i = 0; i < 3; ++i) {
    const auto value =
        static_cast<int>(std::lround(stops[k][i] + (at - k) * (stops[k + 1][i] - stops[k][i])));
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x", static_cast<unsigned>(value));
    out += digits;
  }
  return out;
}

}  // namespace

Chart heat_map(const HeatAxis& up, const HeatAxis& right, const std::vector<double>& shares,
               const std::string& described) {
  const std::size_t rows = up.names.size(), columns = right.names.size();
  Chart chart(320, right.all ? 320 : 270, {0, static_cast<double>(columns)}, {0, static_cast<double>(rows)},
              described, {84, 10, 8, right.all ? 70.0 : 20.0});
  std::vector<std::string> of_cells;
  for (const double share : shares) of_cells.push_back(heat_colour(share));
  chart.cells(columns, of_cells);
  for (const Tick& tick : ticks_of(up, 12))
    chart.label(0, tick.at, -6, 4, "class=\"tick\" text-anchor=\"end\"", tick.text);
  for (const Tick& tick : ticks_of(right, 14))
    if (right.all)
      chart.slanted_label(tick.at, 0, tick.text);
    else
      chart.label(tick.at, 0, 0, 14, "class=\"tick\" text-anchor=\"middle\"", tick.text);
  return chart;
}

}  // namespace induce::detail
