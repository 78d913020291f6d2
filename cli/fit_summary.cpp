#include "fit_summary.hpp"

#include <algorithm>

namespace induce::cli {

std::string feature_name(const Names& names, std::size_t feature) {
  return names.features.empty() ? "feature " + std::to_string(feature + 1) : names.features[feature];
}

std::vector<std::pair<std::string, double>> sorted_relevance(const Report& report, const Names& names) {
  std::vector<std::pair<std::string, double>> sorted;
  for (std::size_t f = 0; f < report.relevance.size(); ++f)
    sorted.emplace_back(feature_name(names, f), report.relevance[f]);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  return sorted;
}

}  // namespace induce::cli
