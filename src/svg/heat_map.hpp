// A grid of coloured cells, from blue over nearly white to orange: readable for the colour-blind.
#pragma once

#include <string>
#include <vector>

#include "svg/chart.hpp"

namespace induce::detail {

// The names of the lines or columns of a heat map. Numbers need not all be written.
struct HeatAxis {
  std::vector<std::string> names;
  bool all = false;   // write every name
  bool last = false;  // write the last one whatever the others are: a missing value
};

// `shares`: of each cell between the two ends of the colours, 0 to 1. The lines go up: those of the first name come first.
Chart heat_map(const HeatAxis& up, const HeatAxis& right, const std::vector<double>& shares,
               const std::string& described);

}  // namespace induce::detail
