// A picture of two-dimensional models side by side: probability as coloured bands with contours, training points and
// inducing inputs. Plain SVG 1.1.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "svg/contours.hpp"

namespace induce::detail::svg {

// One model.
struct SurfacePanel {
  std::string title;
  std::string subtitle;
  Grid probability;  // its range is the panel's range
  Line inducing;
};

struct SurfacePicture {
  std::string title;
  std::array<std::string, 2> classes;  // the probability drawn is that of class 1
  std::array<std::string, 2> axes{"x1", "x2"};
  std::array<Line, 2> points;  // by class
  std::vector<SurfacePanel> panels;
};

std::string surface_svg(const SurfacePicture& picture);

}  // namespace induce::detail::svg
