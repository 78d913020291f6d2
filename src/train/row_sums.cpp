#include "train/row_sums.hpp"

#include <algorithm>

#include "rows/reducer.hpp"

namespace induce {
void refresh_sites(const SiteRule& rule, const Targets& targets, const Vector& m, const Vector& S2,
                   Workers& workers, Sites& sites) {
  for_each_block(Blocks::light(targets.n()), workers, [&](Index first, Index count, int /*worker*/) {
    rule.refresh(targets.y.data() + first, m.data() + first, S2.data() + first, count, sites.w.data() + first,
                 sites.t.data() + first, sites.c.data() + first);
    const auto weight = targets.weight.segment(first, count).array();
    for (Vector* part : {&sites.w, &sites.t, &sites.c}) part->segment(first, count).array() *= weight;
  });
}

double expected_log_likelihood(const Likelihood& likelihood, const Targets& targets, const Vector& m,
                               const Vector& S2, Workers& workers) {
  return sum_over_rows(targets.n(), workers, [&](Index first, Index count) {
    constexpr Index strip = 64;
    double value[strip], sum = 0;
    for (Index i = first; i < first + count; i += strip) {
      const Index rows = std::min(strip, first + count - i);
      likelihood.expected_log(targets.y.data() + i, m.data() + i, S2.data() + i, rows, value);
      for (Index k = 0; k < rows; ++k) sum += targets.weight[i + k] * value[k];
    }
    return sum;
  });
}

Vector predictive_probabilities(const Likelihood& likelihood, const Vector& m, const Vector& S2,
                                Workers& workers) {
  Vector probability(m.size());
  for_each_block(Blocks::light(m.size()), workers, [&](Index first, Index count, int /*worker*/) {
    for (Index i = first; i < first + count; ++i) probability[i] = likelihood.probability(m[i], S2[i]);
  });
  return probability;
}

double expected_sites(const Sites& sites, const Vector& m, const Vector& S2, Workers& workers) {
  return sum_over_rows(m.size(), workers, [&](Index first, Index count) {
    double sum = 0;
    for (Index i = first; i < first + count; ++i)
      sum += sites.c[i] + sites.t[i] * m[i] - sites.w[i] * (m[i] * m[i] + S2[i]) / 2;
    return sum;
  });
}

}  // namespace induce
