#include "train/doubtful_rows.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/pass.hpp"
#include "linalg/random.hpp"
#include "train/policy.hpp"
#include "train/row_sums.hpp"

namespace induce::detail {
namespace {

// Uniform on [0, 1), for a row of the store.
double draw_of(Index place, std::uint64_t seed) {
  std::uint64_t state = seed + static_cast<std::uint64_t>(place) * 0x9e3779b97f4a7c15U;
  splitmix64(state);
  return static_cast<double>(splitmix64(state) >> 11) * 0x1p-53;
}

}  // namespace

std::optional<DoubtfulRows> doubtful_rows(const Fitted& model, const RowMatrix& X, const Targets& targets,
                                          std::span<const Index> places, const Likelihood& unparametrized,
                                          double effort, std::uint64_t seed, Workers& workers) {
  const Index n = X.rows(), functions = unparametrized.latent_functions();
  if (n < policy::fewest_to_thin) return std::nullopt;
  const auto given = unparametrized.given(model.frame.prior.thresholds);
  const Likelihood& likelihood = *given;
  Vector m, S2;
  Pass(X, model.frame.m(), workers).marginals(model.frame, model.q, m, S2);
  Sites sites(n, functions);
  refresh_sites(*make_site_rule("newton", likelihood), targets, m, S2, workers, sites);
  std::vector<Index> kept;
  std::vector<double> weight;
  for (Index i = 0; i < n; ++i) {
    double squares = 0;
    for (Index k = i * functions; k < (i + 1) * functions; ++k) {
      const double g = sites.t[k] - sites.w[k] * m[k];
      squares += std::max(g * g, sites.w[k] * sites.w[k]);
    }
    const double doubt = std::max(std::sqrt(squares), policy::least_doubt * targets.weight[i]);
    const double p = std::min(1.0, policy::kept_per_doubt * effort * doubt);
    if (draw_of(places[static_cast<std::size_t>(i)], seed) >= p) continue;
    kept.push_back(i);
    weight.push_back(targets.weight[i] / p);
  }
  const auto count = static_cast<Index>(kept.size());
  if (static_cast<double>(count) > policy::most_kept * static_cast<double>(n)) return std::nullopt;
  const Eigen::Map<const Vector> kept_weight(weight.data(), count);
  DoubtfulRows rows{X(kept, Eigen::all), Targets(targets.y(kept), kept_weight)};
  std::vector<Index> marginals;
  for (const Index i : kept)
    for (Index c = 0; c < functions; ++c) marginals.push_back(i * functions + c);
  rows.rest = expected_log_likelihood(likelihood, targets, m, S2, workers) -
              expected_log_likelihood(likelihood, rows.targets, m(marginals), S2(marginals), workers);
  return rows;
}

}  // namespace induce::detail
