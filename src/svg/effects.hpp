// Pictures of the effects of the most important features: a panel each, with curves and their bands, or with the levels of a
// category. All panels have the same axis, so that a flat one is a feature without a main effect; one that needs far more room has
// its own. The page and `induce explain --svg` draw the same panels.
#pragma once

#include <string>
#include <vector>

#include <induce/explain.hpp>
#include <induce/model.hpp>

#include "describe/values.hpp"
#include "svg/chart.hpp"

namespace induce::detail {

inline constexpr std::size_t most_effect_panels = 12, most_effect_curves = 5;

struct EffectPanel {
  FeatureImportance importance;
  const Effect& effect;
  Column column;
  std::vector<std::size_t> levels;  // of a category: the points that are drawn (drawn_levels)
  std::string hidden;               // levels that are left out, in words
  Range axis;
  bool own_scale;
};

struct EffectPanels {
  std::vector<std::size_t> curves;  // of the classes that move most; of two classes, the only one
  std::vector<EffectPanel> panels;
  std::size_t features_left_out;
};
// The explanation must outlive the result.
EffectPanels effect_panels(const Explanation& explanation, const Names& names);

// `more`: words about the picture after those that say what it shows.
Chart effect_chart(const EffectPanel& panel, const std::vector<std::size_t>& curves, const Names& names,
                   const std::string& more = {});

// A file of all panels. `scale` names the axis of effects.
std::string effects_svg(const Explanation& explanation, const Names& names, const std::string& scale);

}  // namespace induce::detail
