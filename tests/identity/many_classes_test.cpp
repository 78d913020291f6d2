// C latent functions and the softmax: q, bound, marginals, sites and gradient at fixed sites. Oracles: the slow twin in
// unwhitened form (support/naive_classes.hpp), five-point differences of the twin's bound and of the engine's own.
#include <gtest/gtest.h>

#include "core/leave_one_out.hpp"
#include "support/class_engine.hpp"
#include "support/close.hpp"

namespace induce::testing {
namespace {

struct ClassVariant {
  const char* name;
  const char* shape;
  bool noise;
};

naive::ClassProblem of_variant(unsigned seed, const ClassVariant& variant, Index n, Index m) {
  naive::ClassProblem problem = random_class_problem(seed, n, m, 2);
  problem.shape = variant.shape;
  if (!variant.noise) problem.noise_std = 0;
  return problem;
}

class ManyClasses : public ::testing::TestWithParam<ClassVariant> {};

TEST_P(ManyClasses, ValuesAreTheTwins) {
  for (unsigned seed = 0; seed < 4; ++seed) {
    SCOPED_TRACE(seed);
    const naive::ClassProblem problem = of_variant(seed, GetParam(), 20, 4);
    ClassEngine engine(problem);
    engine.start();
    engine.rounds(2);
    const naive::ClassSites sites = class_sites(engine.sites);
    expect_close(engine.bound(), naive::collapsed_bound(problem, sites), 1e-8, "F");

    const std::vector<naive::Posterior> got = class_posteriors(engine.frame, engine.q()),
                                        want = naive::posteriors(problem, sites);
    double divergence = 0;
    for (std::size_t c = 0; c < 3; ++c) {
      expect_close(got[c].mu, want[c].mu, 1e-8, "mu");
      expect_close_matrix(got[c].Sigma, want[c].Sigma, 1e-8, "Sigma");
      divergence += kl_divergence(engine.collapsed[c].q);
    }
    expect_close(divergence, naive::kl(problem, want), 1e-8, "KL");

    const naive::ClassMarginals f = naive::marginals(problem, want, problem.X);
    engine.pass.marginals(engine.frame, engine.q(), engine.m, engine.S2);
    expect_close_matrix(by_class(engine.m, 3), f.m, 1e-8, "m");
    expect_close_matrix(by_class(engine.S2, 3), f.S2, 1e-8, "S2");
  }
}

// The price of sparsity: sum over classes and rows of w (k_ii - k_i'K_mm^-1 k_i) / 2 under the prior of each class.
TEST_P(ManyClasses, SparsityPriceIsTheTwins) {
  const naive::ClassProblem problem = of_variant(7, GetParam(), 20, 4);
  ClassEngine engine(problem);
  engine.start();
  engine.bound();
  const Matrix K_nm = problem.K_nm(problem.X);
  const Vector residual =
      problem.k_ii() - (K_nm * problem.K_mm().inverse() * K_nm.transpose()).diagonal().array();
  const Vector r2 = problem.scale.cwiseAbs2();
  double got = 0;
  for (const Collapsed& each : engine.collapsed) got += each.sparsity_price;
  expect_close(got, residual.dot(by_class(engine.sites.w, 3) * r2) / 2, 1e-8, "price");
}

TEST_P(ManyClasses, GradientMatchesBothBounds) {
  for (unsigned seed = 10; seed < 13; ++seed) {
    SCOPED_TRACE(seed);
    const naive::ClassProblem problem = of_variant(seed, GetParam(), 18, 4);
    const Layout layout = layout_of(problem);
    ClassEngine engine(problem);
    engine.start();
    engine.rounds(1);
    engine.bound();
    const Vector x = coordinates(problem);
    expect_close(layout.pack(prior_of(problem)), x, 1e-14, "packed");
    Vector got(x.size());
    layout.pack_gradient(engine.gradient(), got);

    const naive::ClassSites sites = class_sites(engine.sites);
    const auto twin = [&](const Vector& at) { return naive::collapsed_bound(moved_to(problem, at), sites); };
    expect_close(got, naive::central_difference(twin, x), 1e-6, "against the twin");
    const auto own = [&](const Vector& at) {
      engine.place(moved_to(problem, at));
      return engine.bound();
    };
    expect_close(got, naive::central_difference(own, x), 1e-6, "against itself");
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, ManyClasses,
                         ::testing::Values(ClassVariant{"se", "se", false},
                                           ClassVariant{"se_noise", "se", true},
                                           ClassVariant{"matern32", "matern32", false},
                                           ClassVariant{"matern32_noise", "matern32", true}),
                         [](const auto& each) { return std::string(each.param.name); });

// The sites of given marginals against a tensor trapezoid rule, and the true bound of their q.
TEST(ManyClassSites, AreTheTwins) {
  for (unsigned seed = 20; seed < 23; ++seed) {
    const naive::ClassProblem problem = random_class_problem(seed, 8, 3, 2);
    ClassEngine engine(problem);
    engine.start();
    engine.rounds(2);
    const naive::ClassMarginals q{by_class(engine.m, 3), by_class(engine.S2, 3)};
    const naive::ClassSites want = naive::newton_sites(problem, q), got = class_sites(engine.sites);
    expect_close_matrix(got.w, want.w, 1e-8, "w");
    expect_close_matrix(got.t, want.t, 1e-8, "t");
    expect_close(got.c, want.c, 1e-8, "c");
    const double elbo = engine.elbo();
    expect_close(elbo, naive::elbo(problem, class_posteriors(engine.frame, engine.q())), 1e-8, "elbo");
  }
}

// More classes than three, one of them without rows: the engine's sums over classes do not depend on their number.
TEST(ManyClassSites, SevenClasses) {
  naive::ClassProblem problem = random_class_problem(31, 15, 3, 1, 7);
  for (double& label : problem.y) label = label == 4 ? 5 : label;
  const Layout layout = layout_of(problem);
  ClassEngine engine(problem);
  engine.start();
  engine.rounds(1);
  const naive::ClassSites sites = class_sites(engine.sites);
  expect_close(engine.bound(), naive::collapsed_bound(problem, sites), 1e-8, "F");
  const Vector x = coordinates(problem);
  Vector got(x.size());
  layout.pack_gradient(engine.gradient(), got);
  const auto twin = [&](const Vector& at) { return naive::collapsed_bound(moved_to(problem, at), sites); };
  expect_close(got, naive::central_difference(twin, x), 1e-6, "gradient");
}

// Oracle: the twin without one copy of the row, that is, 1 / copies of its site.
TEST(ManyClassLeaveOneOut, RemovesTheSiteOfTheRow) {
  for (unsigned seed = 40; seed < 43; ++seed) {
    const naive::ClassProblem problem = random_class_problem(seed, 12, 4, 2);
    ClassEngine engine(problem);
    engine.start();
    engine.rounds(3);
    engine.bound();
    engine.pass.marginals(engine.frame, engine.q(), engine.m, engine.S2);
    const Vector copies = problem.weight.cwiseMax(1.0);
    const LeaveOneOut got =
        leave_one_out(engine.pass, engine.frame, engine.sites, copies, engine.m, engine.S2);
    for (Index i = 0; i < problem.n(); ++i) {
      naive::ClassSites sites = class_sites(engine.sites);
      const double kept = 1 - 1 / copies[i];
      sites.w.row(i) *= kept;
      sites.t.row(i) *= kept;
      const RowMatrix row = problem.X.row(i);
      const naive::ClassMarginals want = naive::marginals(problem, naive::posteriors(problem, sites), row);
      expect_close(Vector(got.m.segment(3 * i, 3)), Vector(want.m.row(0)), 1e-8, "m");
      expect_close(Vector(got.S2.segment(3 * i, 3)), Vector(want.S2.row(0)), 1e-8, "S2");
    }
  }
}

// Neither the number of threads nor the cache of K and V changes a bit.
TEST(ManyClassThreads, SameBits) {
  const naive::ClassProblem problem = random_class_problem(50, 700, 12, 3);
  const Layout layout = layout_of(problem);
  const auto numbers = [&](int threads, std::size_t memory) {
    ClassEngine engine(problem, threads, memory);
    engine.start();
    engine.rounds(2);
    Vector all(layout.size(engine.frame.prior) + 1);
    all[all.size() - 1] = engine.bound();
    layout.pack_gradient(engine.gradient(), all);
    Vector both(all.size() + engine.m.size() + engine.S2.size());
    both << all, engine.m, engine.S2;
    return both;
  };
  const Vector want = numbers(1, 0);
  EXPECT_TRUE(want.allFinite());
  for (const int threads : {1, 2, 3})
    for (const std::size_t memory : {std::size_t{0}, std::size_t{20000}, std::size_t{1} << 28})
      EXPECT_TRUE(numbers(threads, memory) == want) << threads << " threads, memory " << memory;
}

}  // namespace
}  // namespace induce::testing
