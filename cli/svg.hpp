// A picture of a two-class model on the plane: the probability as bands of colour with its contours,
// the points, and the inducing inputs. Plain SVG 1.1 text, no library needed to make or to see it.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "contours.hpp"

namespace induce::cli {

struct SurfacePicture {
  std::string title;
  std::string subtitle;
  std::array<std::string, 2> classes;  // class 1 is the one whose probability is drawn
  std::array<std::string, 2> axes{"x1", "x2"};
  Grid probability;            // its box is the picture's box
  std::array<Line, 2> points;  // of class 0 and of class 1
  Line inducing;
};

std::string to_svg(const SurfacePicture& picture);

}  // namespace induce::cli
