#include "train/row_sums.hpp"

#include "rows/blocks.hpp"

namespace induce {
namespace {

constexpr Index block_rows = 4096;

}  // namespace

void refresh_sites(const SiteRule& rule, const Targets& targets, const Vector& m, const Vector& S2,
                   Workers& workers, Sites& sites) {
  for_each_block({targets.n(), block_rows}, workers, [&](Index first, Index count, int /*worker*/) {
    rule.refresh(targets.y.data() + first, m.data() + first, S2.data() + first, count, sites.w.data() + first,
                 sites.t.data() + first, sites.c.data() + first);
    const auto weight = targets.weight.segment(first, count).array();
    for (Vector* part : {&sites.w, &sites.t, &sites.c}) part->segment(first, count).array() *= weight;
  });
}

double expected_log_likelihood(const Likelihood& likelihood, const Targets& targets, const Vector& m,
                               const Vector& S2, Workers& workers) {
  Vector value(targets.n());
  for_each_block({targets.n(), block_rows}, workers, [&](Index first, Index count, int /*worker*/) {
    likelihood.expected_log(targets.y.data() + first, m.data() + first, S2.data() + first, count,
                            value.data() + first);
  });
  return targets.weight.dot(value);
}

Vector predictive_probabilities(const Likelihood& likelihood, const Vector& m, const Vector& S2,
                                Workers& workers) {
  Vector probability(m.size());
  for_each_block({m.size(), block_rows}, workers, [&](Index first, Index count, int /*worker*/) {
    for (Index i = first; i < first + count; ++i) probability[i] = likelihood.probability(m[i], S2[i]);
  });
  return probability;
}

double expected_sites(const Sites& sites, const Vector& m, const Vector& S2) {
  return sites.c.sum() + sites.t.dot(m) - sites.w.dot(m.cwiseAbs2() + S2) / 2;
}

}  // namespace induce
