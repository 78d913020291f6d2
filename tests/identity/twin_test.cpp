// The engine against its slow textbook twin (support/naive.hpp) on random problems: every kernel, every site rule,
// shared and per-feature length-scales, with and without mean and noise.
#include <gtest/gtest.h>

#include "support/bridge.hpp"
#include "support/close.hpp"
#include "kernel/shape.hpp"
#include "support/engine.hpp"
#include "support/random_problem.hpp"

namespace induce::testing {
namespace {

struct Variant {
  bool ard, mean, noise;
};
constexpr Variant variants[] = {
    {true, true, true}, {false, true, true}, {true, false, true}, {false, true, false}, {true, false, false}};

naive::Problem problem_of(unsigned seed, const std::string& kernel, const Variant& variant, Index d = 2) {
  naive::Problem problem = random_problem(seed, 20, 4, d);
  problem.kernel = kernel;
  if (!variant.ard) problem.lengthscales.conservativeResize(1);
  if (!variant.mean) problem.mean = 0;
  if (!variant.noise) problem.noise_std = 0;
  return problem;
}

class Twin : public ::testing::TestWithParam<std::string> {};

// Sites, bound, posterior, marginals and ELBO. The integrals of the engine are accurate to 3e-10 per row.
TEST_P(Twin, ValuesAgree) {
  for (const std::string& rule : site_rule_names()) {
    for (unsigned seed = 0; const Variant& variant : variants) {
      SCOPED_TRACE(rule + ", seed " + std::to_string(seed));
      const naive::Problem problem = problem_of(seed++, GetParam(), variant);
      Engine engine(problem);
      engine.stage_one(rule, 3);
      const auto [sites, q] = naive::stage_one(problem, rule, 3);
      expect_close(engine.sites.w, sites.w, 1e-8, "w");
      expect_close(engine.sites.t, sites.t, 1e-8, "t");
      expect_close(engine.sites.c, sites.c, 1e-8, "c");
      expect_close(engine.collapsed.F, naive::collapsed_bound(problem, sites), 1e-8, "bound");
      const naive::Posterior got = twin_of(engine.frame, engine.collapsed.q);
      expect_close(got.mu, q.mu, 1e-8, "mu");
      expect_close_matrix(got.Sigma, q.Sigma, 1e-8, "Sigma");
      expect_close(kl_divergence(engine.collapsed.q), naive::kl(q.mu, q.Sigma, problem.K_mm()), 1e-8, "KL");

      expect_close(engine.elbo(), naive::elbo(problem, q.mu, q.Sigma), 1e-8, "elbo");
      const naive::Marginals marginals = naive::marginals(problem, q.mu, q.Sigma);
      expect_close(engine.m, marginals.m, 1e-8, "m");
      expect_close(engine.S2, marginals.S2, 1e-8, "S2");
    }
  }
}

// The engine's gradient against five-point differences of the twin's bound and of its own bound.
TEST_P(Twin, GradientMatchesBothBounds) {
  for (const std::string& rule : site_rule_names()) {
    for (unsigned seed = 20; const Variant& variant : variants) {
      SCOPED_TRACE(rule + ", seed " + std::to_string(seed));
      const naive::Problem problem = problem_of(seed++, GetParam(), variant);
      Engine engine(problem);
      engine.stage_one(rule, 2);
      const Vector got = coordinates(problem, engine.fixed_site_gradient());
      const Vector x = coordinates(problem);

      const naive::Sites sites = twin_of(engine.sites);
      const auto twin = [&](const Vector& at) {
        return naive::collapsed_bound(moved_to(problem, at), sites);
      };
      expect_close(got, naive::central_difference(twin, x), 1e-6, "against the twin");
      const auto own = [&](const Vector& at) {
        engine.place(moved_to(problem, at));
        return engine.bound();
      };
      expect_close(got, naive::central_difference(own, x), 1e-6, "against itself");
    }
  }
}

// From 24 features on, distances are computed from products (kernel/stationary.cpp).
TEST_P(Twin, ManyFeatures) {
  naive::Problem problem = problem_of(40, GetParam(), {true, true, true}, 26);
  problem.lengthscales *= 4;
  Engine engine(problem);
  engine.stage_one("jj", 3);
  const auto [sites, q] = naive::stage_one(problem, "jj", 3);
  expect_close(engine.collapsed.F, naive::collapsed_bound(problem, sites), 1e-8, "bound");
  const auto twin = [&, &fixed = sites](const Vector& at) {
    return naive::collapsed_bound(moved_to(problem, at), fixed);
  };
  expect_close(coordinates(problem, engine.fixed_site_gradient()),
               naive::central_difference(twin, coordinates(problem)), 1e-6, "gradient");
}

INSTANTIATE_TEST_SUITE_P(EveryKernel, Twin, ::testing::ValuesIn(example_shapes()), [](const auto& each) {
  std::string name = each.param;
  for (char& letter : name) letter = std::isalnum(static_cast<unsigned char>(letter)) ? letter : '_';
  return name;
});

// Jitter is part of K_mm; in the twin it is noise on the diagonal of K_mm but not in k_ii.
TEST(Jitter, EntersBoundAndGradientThroughTheKernelMatrix) {
  const double jitter = 1e-3;
  naive::Problem problem = random_problem(3, 20, 4, 2);
  problem.noise_std = 0;
  Engine engine(problem, jitter);
  engine.stage_one("jj", 2);
  ASSERT_EQ(engine.frame.jitter, jitter);

  const double variance = problem.signal_std * problem.signal_std;
  naive::Problem twin = problem;
  twin.noise_std = std::sqrt(jitter * variance);
  const double excess = engine.sites.w.sum() * jitter * variance / 2;  // of k_ii, through sum w_i k_ii / 2
  expect_close(engine.collapsed.F, naive::collapsed_bound(twin, twin_of(engine.sites)) + excess, 1e-9,
               "bound");

  const Vector got = coordinates(problem, engine.fixed_site_gradient());
  const auto own = [&](const Vector& at) {
    engine.place(moved_to(problem, at), jitter);
    return engine.bound();
  };
  expect_close(got, naive::central_difference(own, coordinates(problem)), 1e-6, "gradient");
}

}  // namespace
}  // namespace induce::testing
