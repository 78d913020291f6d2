// A picture of the effects of the most important features: one small panel each, all with the same vertical axis.
// Plain SVG 1.1.
#pragma once

#include <string>

#include <induce/explain.hpp>
#include <induce/model.hpp>

namespace induce::cli {

inline constexpr std::size_t kMostEffectPanels = 12;

// `scale` names the vertical axis.
std::string effects_svg(const Explanation& explanation, const Names& names, const std::string& scale);

}  // namespace induce::cli
