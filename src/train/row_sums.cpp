#include "train/row_sums.hpp"

#include <algorithm>

#include "rows/reducer.hpp"

namespace induce::detail {
void refresh_sites(const SiteRule& rule, const Targets& targets, const Vector& m, const Vector& S2,
                   Workers& workers, Sites& sites) {
  const Index functions = m.size() / std::max<Index>(targets.n(), 1);
  for_each_block(Blocks::light(targets.n()), workers, [&](Index first, Index count, int /*worker*/) {
    const Index at = first * functions;
    rule.refresh(targets.y.data() + first, m.data() + at, S2.data() + at, count, sites.w.data() + at,
                 sites.t.data() + at, sites.c.data() + first);
    for (Index i = first; i < first + count; ++i) {
      const double weight = targets.weight[i];
      sites.w.segment(i * functions, functions) *= weight;
      sites.t.segment(i * functions, functions) *= weight;
      sites.c[i] *= weight;
    }
  });
}

double expected_log_likelihood(const Likelihood& likelihood, const Targets& targets, const Vector& m,
                               const Vector& S2, Workers& workers) {
  const Index functions = likelihood.latent_functions();
  return sum_over_rows(targets.n(), workers, [&](Index first, Index count) {
    constexpr Index strip = 64;
    double value[strip], sum = 0;
    for (Index i = first; i < first + count; i += strip) {
      const Index rows = std::min(strip, first + count - i);
      likelihood.expected_log(targets.y.data() + i, m.data() + i * functions, S2.data() + i * functions, rows,
                              value);
      for (Index k = 0; k < rows; ++k) sum += targets.weight[i + k] * value[k];
    }
    return sum;
  });
}

Vector predictive_probabilities(const Likelihood& likelihood, const Vector& m, const Vector& S2,
                                Workers& workers) {
  const Index functions = likelihood.latent_functions(), n = m.size() / functions;
  Vector probability(n * likelihood.probabilities());
  for_each_block(Blocks::light(n), workers, [&](Index first, Index count, int /*worker*/) {
    likelihood.probabilities(m.data() + first * functions, S2.data() + first * functions, count,
                             probability.data() + first * likelihood.probabilities());
  });
  return probability;
}

double expected_sites(const Sites& sites, const Vector& m, const Vector& S2, Workers& workers) {
  const Index n = sites.c.size(), functions = m.size() / std::max<Index>(n, 1);
  return sum_over_rows(n, workers, [&](Index first, Index count) {
    double sum = 0;
    for (Index i = first; i < first + count; ++i) {
      double row_sum = sites.c[i];
      for (Index k = i * functions; k < (i + 1) * functions; ++k)
        row_sum = row_sum + sites.t[k] * m[k] - sites.w[k] * (m[k] * m[k] + S2[k]) / 2;
      sum += row_sum;
    }
    return sum;
  });
}

}  // namespace induce::detail
