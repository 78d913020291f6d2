// A picture of two-class models on the plane, side by side: the probability as bands of colour with its contours,
// the points, and the inducing inputs. Plain SVG 1.1 text, no library needed to make or to see it.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "contours.hpp"

namespace induce::cli {

// One model.
struct SurfacePanel {
  std::string title;
  std::string subtitle;
  Grid probability;  // its box is the panel's box
  Line inducing;
};

struct SurfacePicture {
  std::string title;
  std::array<std::string, 2> classes;  // class 1 is the one whose probability is drawn
  std::array<std::string, 2> axes{"x1", "x2"};
  std::array<Line, 2> points;  // of class 0 and of class 1
  std::vector<SurfacePanel> panels;
};

std::string to_svg(const SurfacePicture& picture);

}  // namespace induce::cli
