// A picture of the effects of the most important features: one small panel each, all with the same vertical axis.
// With three or more classes a panel has the curves of the classes, of many those whose curves vary most. Plain SVG 1.1.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <induce/explain.hpp>
#include <induce/model.hpp>

namespace induce::detail::svg {

inline constexpr std::size_t kMostEffectPanels = 12, kMostEffectClasses = 5;

// The numbers of a curve's mean: one curve, or with three or more classes one per class.
std::vector<std::span<const double>> curves_of(const Effect& effect);
double range_of(std::span<const double> curve);  // from lowest to highest

// `scale` names the vertical axis.
std::string effects_svg(const Explanation& explanation, const Names& names, const std::string& scale);

}  // namespace induce::detail::svg
