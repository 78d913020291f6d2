// Pictures of what two features do together, of the pairs of a kernel that matter: a heat map each, all with the same colours for
// the same numbers, 0 in the middle. A small mark in a cell says that its 95 % band has 0 in it.
#pragma once

#include <string>
#include <vector>

#include <induce/explain.hpp>
#include <induce/model.hpp>

#include "svg/chart.hpp"

namespace induce::detail {

inline constexpr std::size_t most_pair_panels = 6;

struct PairPanel {
  const PairEffect& pair;
  double share;       // of the variation
  std::size_t curve;  // of the class that the pair moves most; of two classes, the only one
  std::vector<std::size_t> up,
      right;           // the points of both features that are drawn: of many levels those that move most
  std::string hidden;  // levels that are left out, in words

  std::size_t at(std::size_t i, std::size_t j) const {  // of the pair's numbers
    return (curve * pair.first.points() + i) * pair.second.points() + j;
  }
};

struct PairPanels {
  double reach = 0;  // the largest number, whatever its sign
  std::vector<PairPanel> panels;
};
// The largest share first. The explanation must outlive the result.
PairPanels pair_panels(const Explanation& explanation, const Names& names, std::size_t most);

Chart pair_chart(const PairPanel& panel, double reach, const Names& names, const std::string& more = {});

}  // namespace induce::detail
