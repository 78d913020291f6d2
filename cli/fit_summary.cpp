#include "fit_summary.hpp"

#include <algorithm>

namespace induce::cli {

std::string feature_name(const Names& names, std::size_t feature) {
  return names.features.empty() ? "feature " + std::to_string(feature + 1) : names.features[feature];
}

std::vector<FeatureImportance> sorted_importance(const std::vector<Importance>& importance,
                                                 const Names& names) {
  std::vector<FeatureImportance> sorted;
  for (std::size_t f = 0; f < importance.size(); ++f)
    sorted.push_back({f, feature_name(names, f), importance[f].main, importance[f].total});
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const FeatureImportance& a, const FeatureImportance& b) { return a.total > b.total; });
  return sorted;
}

std::vector<Relevance> sorted_relevance(const std::vector<double>& relevance, const Names& names) {
  std::vector<Relevance> sorted;
  for (std::size_t f = 0; f < relevance.size(); ++f) sorted.push_back({feature_name(names, f), relevance[f]});
  std::stable_sort(sorted.begin(), sorted.end(), [](const Relevance& a, const Relevance& b) {
    return a.inverse_lengthscale > b.inverse_lengthscale;
  });
  return sorted;
}

}  // namespace induce::cli
