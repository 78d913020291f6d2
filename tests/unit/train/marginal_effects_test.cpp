// The look at each feature alone. Oracles: made-up effects; the log evidence of a GP written out with a determinant.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "train/marginal_effects.hpp"

namespace induce {
namespace {

struct Table {
  RowMatrix X;
  Targets targets;
};

// Column 0 is a wave, 1 a line, 2 a step of an integer, 3 and 4 act only together, the others do nothing.
Table made_table(Index n, Index d) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  RowMatrix X(n, d);
  Vector y(n);
  for (Index i = 0; i < n; ++i) {
    for (Index f = 0; f < d; ++f) X(i, f) = normal(random);
    X(i, 2) = std::round(X(i, 2));
    const double logit =
        1.5 * std::cos(6 * X(i, 0)) + 0.7 * X(i, 1) + (X(i, 2) > 0 ? 1 : -1) + 2 * X(i, 3) * X(i, 4);
    y[i] = uniform(random) < 1 / (1 + std::exp(-logit)) ? 1 : -1;
  }
  return {std::move(X), Targets(y)};
}

TEST(MarginalEffects, FindsWavesLinesAndStepsAndNothingElse) {
  const Table table = made_table(4000, 40);
  Workers workers(2);
  const std::vector<MarginalEffect> effects = marginal_effects(table.X, {}, table.targets, 1, workers);
  for (const std::size_t f : {0, 1, 2}) EXPECT_GT(effects[f].gain, 20) << f;
  EXPECT_LE(effects[0].lengthscale, 0.4);
  EXPECT_GE(effects[1].lengthscale, 1.6);
  const std::vector<Index> columns = columns_with_effects(effects, table.X, {}, 100);
  ASSERT_GE(columns.size(), 3u);
  EXPECT_LE(columns.size(), 6u);  // at most a few by chance
  EXPECT_EQ((std::vector<Index>{columns[0], columns[1], columns[2]}), (std::vector<Index>{0, 1, 2}));
}

TEST(MarginalEffects, TheBudgetKeepsTheLargestGains) {
  const Table table = made_table(3000, 6);
  Workers workers(1);
  const std::vector<MarginalEffect> effects = marginal_effects(table.X, {}, table.targets, 1, workers);
  // The integer column costs little; of the other two only the one with the larger gain fits.
  const std::vector<Index> columns = columns_with_effects(effects, table.X, {}, 1.2);
  EXPECT_EQ(columns.size(), 2u);
  EXPECT_EQ(columns.back(), 2);
  EXPECT_EQ(columns.front(), effects[0].gain > effects[1].gain ? 0 : 1);
}

// With one value per bin and unit weights the bins are known, and the evidence is that of a multivariate normal.
TEST(MarginalEffects, TheGainIsTheLogRatioOfEvidences) {
  const Index n = 400, values = 4;
  RowMatrix X(n, 1);
  Vector y(n);
  for (Index i = 0; i < n; ++i) {
    X(i, 0) = static_cast<double>(i % values);
    y[i] = (i / values) % 10 < 2 + 2 * (i % values) ? 1 : -1;
  }
  Workers workers(1);
  const MarginalEffect found = marginal_effects(X, Targets(y), 1, workers)[0];
  const double p = (y.array() > 0).cast<double>().mean();
  Vector residual(values);
  for (Index v = 0; v < values; ++v) {
    double second = 0;
    for (Index i = v; i < n; i += values) second += y[i] > 0;
    residual[v] = second / 100 - p;
  }
  double best = 0;
  for (const double amplitude : {0.15, 0.5, 1.5})
    for (const double l : {0.1, 0.2, 0.4, 0.8, 1.6, 3.2}) {
      const double s = amplitude * p * (1 - p), noise = p * (1 - p) / 100;
      Eigen::Matrix4d K;
      for (Index i = 0; i < 4; ++i)
        for (Index j = 0; j < 4; ++j)
          K(i, j) =
              s * s * std::exp(-0.5 * std::pow(static_cast<double>(i - j) / l, 2)) + (i == j ? noise : 0);
      const Eigen::Vector4d r = residual;
      const double value = -0.5 * r.dot(K.inverse() * r) - 0.5 * std::log(K.determinant()),
                   none = -0.5 * r.squaredNorm() / noise - 0.5 * 4 * std::log(noise);
      best = std::max(best, value - none);
    }
  EXPECT_NEAR(found.gain, best, 1e-9 * best);
}

TEST(MarginalEffects, ConstantColumnsAndOneClassHaveNone) {
  const RowMatrix X = RowMatrix::Ones(50, 2);
  Vector y = Vector::Ones(50);
  Workers workers(1);
  EXPECT_EQ(marginal_effects(X, Targets(y), 1, workers)[0].gain, 0);
  y.head(20).setConstant(-1);
  EXPECT_EQ(marginal_effects(X, Targets(y), 1, workers)[1].gain, 0);
}

}  // namespace
}  // namespace induce
