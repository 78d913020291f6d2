// A row of weight k counts as k rows, for every kind of training bound. Oracle: repeated rows, with the same Z and
// theta.
#include <gtest/gtest.h>

#include "support/bridge.hpp"
#include "support/close.hpp"
#include "support/engine.hpp"
#include "support/random_problem.hpp"
#include "support/site_rows.hpp"
#include "train/row_sums.hpp"
#include "train/profiled_bound.hpp"
#include "train/svi_bound.hpp"

namespace induce::testing {
namespace {

struct Twins {
  explicit Twins(unsigned seed) : once(random_problem(seed, 12, 4, 2)), many(once), weighted(once.y) {
    std::vector<Index> rows;
    for (Index i = 0; i < 12; ++i) {
      const Index copies = i % 4;  // none, one, two, three
      weighted.weight[i] = double(copies);
      for (Index k = 0; k < copies; ++k) rows.push_back(i);
    }
    many.X = RowMatrix(once.X(rows, Eigen::all));
    many.y = Vector(once.y(rows));
    prior = prior_of(once);
    layout = {.kernel = kernel_of(once), .mean = true, .inputs = true};
  }
  naive::Problem once, many;
  Targets weighted;
  Prior prior;
  Layout layout;
  Workers workers{1};
};

TEST(Weights, SitesOfEveryRule) {
  for (const std::string& rule : site_rule_names()) {
    Twins twins(1);
    Engine copies(twins.many), weighted(twins.once);
    copies.stage_one(rule, 3);
    weighted.collapsed.q = posterior_from(weighted.frame, Vector::Zero(4), Matrix::Identity(4, 4));
    for (int round = 0; round < 3; ++round) {
      weighted.pass.marginals(weighted.frame, weighted.collapsed.q, weighted.m, weighted.S2);
      refresh_sites(*make_site_rule(rule, likelihood("logistic")), twins.weighted, weighted.m, weighted.S2,
                    weighted.workers, weighted.sites);
      weighted.bound();
    }
    expect_close(weighted.collapsed.F, copies.collapsed.F, 1e-10, rule + " bound");
    expect_close(weighted.collapsed.q.a, copies.collapsed.q.a, 1e-9, rule + " mean");
    expect_close(weighted.fixed_site_gradient().log_theta, copies.fixed_site_gradient().log_theta, 1e-9,
                 rule + " gradient");
    expect_close(expected_log_likelihood(likelihood("logistic"), twins.weighted, weighted.m, weighted.S2,
                                         weighted.workers),
                 expected_log_likelihood(likelihood("logistic"), Targets(twins.many.y), copies.m, copies.S2,
                                         copies.workers),
                 1e-9, rule + " log likelihood");
  }
}

TEST(Weights, ProfiledBound) {
  Twins twins(2);
  const Targets plain(twins.many.y);
  const Likelihood& logistic = likelihood("logistic");
  ProfiledBound copies(rows_of_table(twins.many.X, plain, 4, logistic, "newton", twins.workers, 0), logistic,
                       twins.layout, twins.workers);
  ProfiledBound weighted(rows_of_table(twins.once.X, twins.weighted, 4, logistic, "newton", twins.workers, 0),
                         logistic, twins.layout, twins.workers);
  const Vector x = twins.layout.pack(twins.prior);
  Vector a(x.size()), b(x.size());
  copies.start(twins.prior);
  weighted.start(twins.prior);
  expect_close(weighted(x, b), copies(x, a), 1e-10, "value");
  expect_close(b, a, 1e-8, "gradient");
}

TEST(Weights, StochasticBound) {
  Twins twins(3);
  const SviBound bound(likelihood("logistic"), twins.layout, twins.prior);
  const Vector x = bound.pack({twins.prior, Vector::Constant(4, 0.3), Matrix::Identity(4, 4) * 0.7});
  Pass many(twins.many.X, 4, twins.workers), once(twins.once.X, 4, twins.workers);
  Vector a(x.size()), b(x.size());
  expect_close(bound.value(once, twins.weighted, 1, x, &b, nullptr),
               bound.value(many, Targets(twins.many.y), 1, x, &a, nullptr), 1e-10, "value");
  expect_close(b, a, 1e-9, "gradient");
}

}  // namespace
}  // namespace induce::testing
