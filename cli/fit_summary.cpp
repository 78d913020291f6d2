#include "fit_summary.hpp"

#include <algorithm>

namespace induce::cli {

std::vector<Relevance> sorted_relevance(const std::vector<double>& relevance, const Names& names) {
  std::vector<Relevance> sorted;
  for (std::size_t f = 0; f < relevance.size(); ++f) sorted.push_back({feature_name(names, f), relevance[f]});
  std::stable_sort(sorted.begin(), sorted.end(), [](const Relevance& a, const Relevance& b) {
    return a.inverse_lengthscale > b.inverse_lengthscale;
  });
  return sorted;
}

}  // namespace induce::cli
