// Samples of rows. Oracles: sums over all rows, the variance derived in doubtful_rows.hpp, and identities.
#include "train/doubtful_rows.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "core/pass.hpp"
#include "small_fit.hpp"
#include "train/policy.hpp"
#include "train/row_sums.hpp"

namespace induce::testing {
namespace {

constexpr Index all_rows = 6000;

// Rows whose labels depend on the first column, steeply; a model of few of them.
struct Steep {
  Steep() : X(all_rows, 2), targets{Vector(all_rows), Vector::Ones(all_rows)}, places(all_rows) {
    Random random(3);
    for (Index i = 0; i < all_rows; ++i) {
      X(i, 0) = random.normal();
      X(i, 1) = random.normal();
      targets.y[i] = 8 * X(i, 0) + random.normal() > 0 ? 1 : -1;
      if (i % 3 == 0) targets.weight[i] = 2;
    }
    std::iota(places.begin(), places.end(), Index{0});
    const Layout layout{.kernel = make_kernel("se", {.d = 2}), .mean = true, .inputs = true};
    Prior prior{.theta = layout.kernel->start(), .mean = 0, .Z = X.topRows(10)};
    const Targets few(targets.y.head(600), targets.weight.head(600));
    const RowMatrix own = X.topRows(600);
    LocalOwner owner(workers);
    ProfiledBound bound(owner.site_rows(own, few, {10, logistic, "newton", {.d = 2}, 0}), logistic, layout,
                        workers);
    bound.start(prior);
    Vector x = layout.pack(prior), gradient(x.size());
    for (int k = 0; k < 20; ++k) {
      bound(x, gradient);
      x += 0.5 * gradient / gradient.norm();
    }
    model = bound.best().fitted();
    Pass(X, 10, workers).marginals(model.frame, model.q, m, S2);
    Sites sites(all_rows, 1);
    refresh_sites(*make_site_rule("newton", logistic), targets, m, S2, workers, sites);
    g = sites.t - sites.w.cwiseProduct(m);
  }

  std::optional<DoubtfulRows> draw(std::uint64_t seed, double effort = 1, int threads = 1) const {
    Workers own(threads);
    return doubtful_rows(model, X, targets, places, logistic, effort, seed, own);
  }

  Workers workers{1};
  const Likelihood& logistic = likelihood("logistic", 2);
  RowMatrix X;
  Targets targets;
  std::vector<Index> places;
  Fitted model;
  Vector m, S2, g;
};

const Steep& steep() {
  static const Steep rows;
  return rows;
}

// The place of a kept row among all: rows are kept in their order.
template <class Visit>
void for_each_kept(const DoubtfulRows& rows, const Visit& visit) {
  Index i = 0;
  for (Index k = 0; k < rows.X.rows(); ++k, ++i) {
    while (steep().X.row(i) != rows.X.row(k)) ++i;
    visit(i, k);
  }
}

TEST(DoubtfulRows, SumsHaveTheExpectationOfAllRowsAndLittleVariance) {
  const Steep& all = steep();
  constexpr int draws = 200;
  double rows = 0, rows_squared = 0, noise = 0, kept = 0;
  for (int seed = 0; seed < draws; ++seed) {
    const auto some = all.draw(static_cast<std::uint64_t>(seed));
    ASSERT_TRUE(some);
    const double sum = some->targets.weight.sum();
    rows += sum / draws;
    rows_squared += sum * sum / draws;
    double gradient = 0;
    for_each_kept(*some, [&](Index i, Index k) {
      gradient += all.g[i] * some->targets.weight[k] / all.targets.weight[i];
    });
    noise += std::pow(gradient - all.g.sum(), 2) / draws;
    kept += static_cast<double>(some->X.rows()) / draws;
  }
  const double error = std::sqrt((rows_squared - rows * rows) / draws);
  EXPECT_NEAR(rows, all.targets.weight.sum(), 4 * error);
  EXPECT_LT(kept, 0.4 * all_rows);
  // (1/p - 1) g^2 <= |g| / c; 200 draws tell a variance to a tenth.
  EXPECT_LT(noise, 1.3 * all.g.cwiseAbs().sum() / policy::kept_per_doubt);
  EXPECT_GT(noise, 0);
}

TEST(DoubtfulRows, RowsInDoubtAreAllKeptAndOthersCountForFew) {
  const Steep& all = steep();
  const auto some = all.draw(0);
  ASSERT_TRUE(some);
  std::vector<char> is_kept(all_rows, 0);
  for_each_kept(*some, [&](Index i, Index k) {
    is_kept[static_cast<std::size_t>(i)] = 1;
    const double counts_for = some->targets.weight[k] / all.targets.weight[i];
    EXPECT_GE(counts_for, 1);
    EXPECT_LE(counts_for, 1 / (policy::kept_per_doubt * policy::least_doubt) + 1e-9);
  });
  for (Index i = 0; i < all_rows; ++i) {
    const bool in_doubt = std::abs(all.g[i]) * policy::kept_per_doubt >= 1;
    EXPECT_TRUE(is_kept[static_cast<std::size_t>(i)] || !in_doubt) << i;
  }
}

TEST(DoubtfulRows, KnowWhatTheOtherRowsHaveMore) {
  const Steep& all = steep();
  const auto some = all.draw(4);
  ASSERT_TRUE(some);
  Workers workers(1);
  Vector m, S2;
  Pass(some->X, 10, workers).marginals(all.model.frame, all.model.q, m, S2);
  const double of_all = expected_log_likelihood(all.logistic, all.targets, all.m, all.S2, workers),
               of_some = expected_log_likelihood(all.logistic, some->targets, m, S2, workers);
  EXPECT_NEAR(of_some + some->rest, of_all, 1e-8 * std::abs(of_all));
}

TEST(DoubtfulRows, OrderedClassesAreJudgedByTheThresholdsOfTheModel) {
  const Steep& all = steep();
  Fitted model = all.model;
  model.frame.prior.thresholds = Vector{{-2.0, 2.0}};
  Targets levels = all.targets;
  for (Index i = 0; i < all_rows; ++i) levels.y[i] = (all.m[i] > -2) + (all.m[i] > 2);
  Workers workers(1);
  const Likelihood& ordinal = likelihood("ordinal", 3);
  const auto some = doubtful_rows(model, all.X, levels, all.places, ordinal, 1, 4, workers);
  ASSERT_TRUE(some);
  const auto given = ordinal.given(model.frame.prior.thresholds);
  Vector m, S2;
  Pass(some->X, 10, workers).marginals(model.frame, model.q, m, S2);
  const double of_all = expected_log_likelihood(*given, levels, all.m, all.S2, workers),
               of_some = expected_log_likelihood(*given, some->targets, m, S2, workers);
  EXPECT_NEAR(of_some + some->rest, of_all, 1e-8 * std::abs(of_all));
}

TEST(DoubtfulRows, DependOnTheSeedButNotOnThreads) {
  const auto one = steep().draw(1), two = steep().draw(1, 1, 3), other = steep().draw(2);
  ASSERT_TRUE(one && two && other);
  EXPECT_TRUE(one->X == two->X && one->targets.weight == two->targets.weight);
  EXPECT_EQ(one->rest, two->rest);
  EXPECT_FALSE(one->X.rows() == other->X.rows() && one->X == other->X);
}

TEST(DoubtfulRows, MoreEffortKeepsMore) {
  const auto quick = steep().draw(1, 0.3), usual = steep().draw(1);
  ASSERT_TRUE(quick && usual);
  EXPECT_LT(quick->X.rows(), usual->X.rows());
}

TEST(DoubtfulRows, NoneIfMostRowsAreInDoubtOrFewAreThere) {
  const Steep& all = steep();
  Workers workers(1);
  Targets noise = all.targets;
  for (Index i = 0; i < all_rows; ++i)
    if (i % 4 != 0) noise.y[i] = all.m[i] > 0 ? -1 : 1;  // the model is wrong about most rows
  EXPECT_FALSE(doubtful_rows(all.model, all.X, noise, all.places, all.logistic, 1, 0, workers));
  const RowMatrix few = all.X.topRows(policy::fewest_to_thin - 1);
  const Targets own(all.targets.y.head(few.rows()), all.targets.weight.head(few.rows()));
  EXPECT_FALSE(doubtful_rows(all.model, few, own, all.places, all.logistic, 1, 0, workers));
}

}  // namespace
}  // namespace induce::testing
