#include "train/row_sums.hpp"

#include <algorithm>

#include "likelihood/logistic.hpp"

namespace induce {
namespace {

// Calls visit(first, count) on strips of rows, in parallel; strips do not depend on the number of threads.
constexpr Index strip = 4096;
template <class Visit>
void each_strip(Index n, Workers& workers, const Visit& visit) {
  workers.run((n + strip - 1) / strip, [&](Index number, int /*worker*/) {
    visit(number * strip, std::min(strip, n - number * strip));
  });
}

}  // namespace

void refresh_sites(const SiteRule& rule, const Targets& targets, const Vector& m, const Vector& S2,
                   Workers& workers, Sites& sites) {
  each_strip(targets.n(), workers, [&](Index first, Index count) {
    rule.refresh(targets.y.data() + first, m.data() + first, S2.data() + first, count, sites.w.data() + first,
                 sites.t.data() + first, sites.c.data() + first);
    const auto weight = targets.weight.segment(first, count).array();
    for (Vector* part : {&sites.w, &sites.t, &sites.c}) part->segment(first, count).array() *= weight;
  });
}

double expected_log_likelihood(const Targets& targets, const Vector& m, const Vector& S2, Workers& workers) {
  Vector value = targets.y.cwiseProduct(m);
  each_strip(targets.n(), workers, [&](Index first, Index count) {
    expected_log_sigmoid(value.data() + first, S2.data() + first, count, value.data() + first);
  });
  return targets.weight.dot(value);
}

Vector predictive_probabilities(const Vector& m, const Vector& S2, Workers& workers) {
  Vector probability(m.size());
  each_strip(m.size(), workers, [&](Index first, Index count) {
    for (Index i = first; i < first + count; ++i) probability[i] = expected_sigmoid(m[i], S2[i]);
  });
  return probability;
}

double expected_sites(const Sites& sites, const Vector& m, const Vector& S2) {
  return sites.c.sum() + sites.t.dot(m) - sites.w.dot(m.cwiseAbs2() + S2) / 2;
}

}  // namespace induce
