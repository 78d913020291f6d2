// A model with sites is stored at their fixed point. Oracle: one more round of sites from the stored q.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <induce/fit.hpp>

#include "core/pass.hpp"
#include "model/state.hpp"
#include "linalg/random.hpp"
#include "train/methods.hpp"
#include "train/row_sums.hpp"

namespace induce::testing {
namespace {

class Settled : public ::testing::TestWithParam<std::string> {};

TEST_P(Settled, OneMoreRoundChangesNoProbability) {
  constexpr Index n = 300;
  Random random(3);
  RowMatrix X(n, 2);
  std::vector<int> y;
  for (Index i = 0; i < n; ++i) {
    X(i, 0) = random.normal();
    X(i, 1) = random.normal();
    y.push_back(X(i, 0) * X(i, 1) + 0.3 * random.normal() > 0);
  }
  Options options;
  options.method = method_from_name(GetParam());
  const Fit done = fit({X.data(), n, 2}, y, options);
  const detail::ModelState& state = detail::state_of(done.model);
  const Frame frame = make_frame(state.fitted.frame.kernel, state.fitted.frame.prior);
  RowMatrix mapped(n, 2);
  state.map.apply(X.data(), n, mapped.data());

  Workers workers(1);
  Pass pass(mapped, frame.m(), workers);
  Targets targets{Vector(n)};
  for (Index i = 0; i < n; ++i) targets.y[i] = y[static_cast<std::size_t>(i)] ? 1 : -1;
  const auto probabilities = [&](const Posteriors& q, Vector& m, Vector& S2) {
    pass.marginals(frame, q, m, S2);
    return predictive_probabilities(*state.likelihood, m, S2, workers);
  };
  Vector m, S2;
  const Vector stored = probabilities(state.fitted.q[0], m, S2);
  Sites sites(n);
  refresh_sites(*make_site_rule(traits_of(options.method).rule, *state.likelihood), targets, m, S2, workers,
                sites);
  Collapsed next;
  collapse(frame, pass.first_half(frame, sites), next);
  const double elbo = done.report.elbo;
  EXPECT_LT((probabilities(next.q, m, S2) - stored).cwiseAbs().maxCoeff(), 1e-6);
  // The bound of the report is that of the stored q: at the fixed point its sites are those of the next round.
  EXPECT_NEAR(next.F, done.report.bound, 1e-6 * std::abs(done.report.bound));
  const double kl = kl_divergence(state.fitted.q[0]);
  pass.marginals(frame, state.fitted.q[0], m, S2);
  EXPECT_NEAR(expected_log_likelihood(*state.likelihood, targets, m, S2, workers) - kl, elbo,
              1e-8 * std::abs(elbo));
}

INSTANTIATE_TEST_SUITE_P(Methods, Settled,
                         ::testing::Values("vi-jj", "vi-jj-full", "vi-jj-hybrid", "vi-taylor"),
                         [](const auto& method) {
                           std::string name = method.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace induce::testing
