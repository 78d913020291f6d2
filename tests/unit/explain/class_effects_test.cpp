// Effects and importance of C latent functions. Oracles: the posterior mean and covariance of every pair of moved rows with
// explicit inverses (the slow twin), averaged by brute force, for each class; then f_c - (1/C) sum_k f_k written as a matrix.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include <induce/error.hpp>
#include <induce/fit.hpp>

#include "explain/effects.hpp"
#include "explain/grid.hpp"
#include "linalg/random.hpp"
#include "support/class_engine.hpp"
#include "support/close.hpp"

namespace induce::testing {
namespace {

Explanation explained_classes(const ClassEngine& engine, const RowMatrix& X, int threads = 1) {
  Fitted fitted{engine.frame, {}};
  for (const Collapsed& each : engine.collapsed) fitted.q.push_back(each.q);
  const FeatureMap map{{}, {}, {}, Standardizer::identity(X.cols())};
  const TableView view{X.data(), static_cast<std::size_t>(X.rows()), static_cast<std::size_t>(X.cols())};
  Workers workers(threads);
  const auto made = explain_fitted(fitted, map, MemoryStore::as_it_is(view), workers);
  EXPECT_TRUE(made);
  return made.value_or(Explanation{});
}

// Covariance of g at any two sets of rows under the prior, without noise.
Matrix covariance_of(const naive::ClassProblem& problem, const RowMatrix& rows) {
  naive::ClassProblem at = problem;
  at.Z = rows;
  return at.K_nm(rows);
}

class ClassBrute : public ::testing::TestWithParam<int> {
 protected:
  ClassBrute() {
    problem = random_class_problem(static_cast<unsigned>(GetParam()), 9, 5, 3, GetParam() % 2 ? 4 : 3);
  }
  naive::ClassProblem problem;
};

TEST_P(ClassBrute, EffectsOfEveryClass) {
  const Index C = problem.classes(), n = problem.n();
  ClassEngine engine(problem);
  engine.start();
  engine.rounds(4);
  engine.bound();
  const Explanation got = explained_classes(engine, problem.X);
  const std::vector<naive::Posterior> q = class_posteriors(engine.frame, engine.q());
  const Matrix contrast = Matrix::Identity(C, C) - Matrix::Constant(C, C, 1.0 / static_cast<double>(C));
  for (Index f = 0; f < 3; ++f) {
    const Effect& effect = got.effects[static_cast<std::size_t>(f)];
    std::vector<double> sorted(n);
    for (Index i = 0; i < n; ++i) sorted[i] = problem.X(i, f);
    std::sort(sorted.begin(), sorted.end());
    ASSERT_EQ(effect.values, sorted) << "few values: each is a grid point, with a share of 1/n";
    ASSERT_EQ(effect.mean.size(), static_cast<std::size_t>(C * n));

    RowMatrix moved(n * n, 3);
    for (Index g = 0; g < n; ++g)
      for (Index i = 0; i < n; ++i) {
        moved.row(g * n + i) = problem.X.row(i);
        moved(g * n + i, f) = sorted[g];
      }
    // c = average f - its mean over the grid, as one matrix.
    Matrix average = Matrix::Zero(n, n * n);
    for (Index g = 0; g < n; ++g) average.row(g).segment(g * n, n).setConstant(1.0 / static_cast<double>(n));
    const Eigen::RowVectorXd centre = average.colwise().mean();
    average.rowwise() -= centre;
    Matrix mean(n, C), variance(n, C);
    for (Index c = 0; c < C; ++c) {
      const double r2 = problem.scale[c] * problem.scale[c];
      const Matrix K = r2 * problem.K_mm(), k = r2 * problem.K_nm(moved), inverse = K.inverse();
      const Matrix posterior =
          r2 * covariance_of(problem, moved) - k * inverse * (K - q[c].Sigma) * inverse * k.transpose();
      mean.col(c) = average * k * inverse * q[c].mu;
      variance.col(c) = (average * posterior * average.transpose()).diagonal();
    }
    const Matrix want = mean * contrast.transpose(),
                 sd = (variance * contrast.cwiseAbs2().transpose()).cwiseMax(0).cwiseSqrt();
    for (Index c = 0; c < C; ++c)
      for (Index g = 0; g < n; ++g) {
        const std::size_t at = static_cast<std::size_t>(c * n + g);
        EXPECT_NEAR(effect.mean[at], want(g, c), 1e-6) << f << ", class " << c << ", point " << g;
        EXPECT_NEAR((effect.upper[at] - effect.mean[at]) / 1.959963985, sd(g, c), 1e-6);
        EXPECT_NEAR((effect.mean[at] - effect.lower[at]) / 1.959963985, sd(g, c), 1e-6);
      }
  }
}

// Shares of the sum over classes of the variance of f_c - (1/C) sum_k f_k; with nine rows all pairs of rows are used.
TEST_P(ClassBrute, ImportanceOverAllPairs) {
  const Index C = problem.classes(), n = problem.n();
  ClassEngine engine(problem);
  engine.start();
  engine.rounds(4);
  engine.bound();
  const Explanation got = explained_classes(engine, problem.X);
  const std::vector<naive::Posterior> q = class_posteriors(engine.frame, engine.q());
  const auto means_at = [&](const RowMatrix& rows) {
    Matrix m = naive::marginals(problem, q, rows).m;
    const Vector average = m.rowwise().mean();
    m.colwise() -= average;
    return m;
  };
  const auto spread = [](const Matrix& m) {
    return (m.rowwise() - Eigen::RowVectorXd(m.colwise().mean())).squaredNorm() /
           static_cast<double>(m.rows() - 1);
  };
  const Matrix m = means_at(problem.X);
  for (Index f = 0; f < 3; ++f) {
    double squares = 0, whole = 0;
    Matrix average(n, C);
    Vector sum = Vector::Zero(C);
    for (Index j = 0; j < n; ++j) {
      RowMatrix moved = problem.X;
      moved.col(f).setConstant(problem.X(j, f));
      const Matrix there = means_at(moved);
      average.row(j) = there.colwise().mean();
      squares += (there - m).squaredNorm();
      whole += there.squaredNorm() - m.row(j).squaredNorm();  // without the row itself
      sum += (there.colwise().sum() - m.row(j)).transpose();
    }
    const auto pairs = static_cast<double>(n * (n - 1));
    const double main = spread(average), total = std::max(main, squares / (2 * pairs)),
                 variance = std::max(
                     total, (whole - sum.squaredNorm() / pairs) / static_cast<double>((n - 1) * (n - 1)));
    expect_close(got.importance[static_cast<std::size_t>(f)].main, main / variance, 1e-7, "main");
    expect_close(got.importance[static_cast<std::size_t>(f)].total, total / variance, 1e-7, "total");
  }
}

INSTANTIATE_TEST_SUITE_P(Problems, ClassBrute, ::testing::Range(0, 4));

TEST(ClassEffects, DoNotDependOnThreads) {
  const naive::ClassProblem problem = random_class_problem(11, 150, 8, 4);
  ClassEngine engine(problem);
  engine.start();
  engine.rounds(2);
  engine.bound();
  const Explanation one = explained_classes(engine, problem.X, 1),
                    three = explained_classes(engine, problem.X, 3);
  for (std::size_t f = 0; f < 4; ++f) {
    EXPECT_EQ(one.effects[f].mean, three.effects[f].mean);
    EXPECT_EQ(one.effects[f].upper, three.effects[f].upper);
    EXPECT_EQ(one.importance[f].total, three.importance[f].total);
  }
}

// The stored explanation of a fit is that of its rows, and survives a file. Oracle: x1 decides between classes 0 and 1, x2 is
// noise.
TEST(ClassEffects, OfAFit) {
  Random random(12);
  std::vector<double> x;
  std::vector<int> y;
  for (int i = 0; i < 300; ++i) {
    const double a = random.normal(), b = random.normal();
    x.insert(x.end(), {a, b});
    y.push_back(i % 5 == 0 ? 2 : a + 0.3 * random.normal() > 0);
  }
  Options options;
  options.inducing = 20;
  options.kernel = "se";
  options.warp = Warp::none;
  Names names;
  names.classes = {"low", "high", "any"};
  const TableView view{x.data(), y.size(), 2};
  const Model model = fit(view, y, options, {}, names).model;
  ASSERT_TRUE(model.explanation());
  const Explanation again = explain(model, view), &stored = *model.explanation();
  const Model loaded = Model::from_bytes(model.to_bytes());
  ASSERT_TRUE(loaded.explanation());
  for (std::size_t f = 0; f < 2; ++f) {
    const Effect& effect = stored.effects[f];
    ASSERT_EQ(effect.mean.size(), again.effects[f].mean.size());
    for (std::size_t k = 0; k < effect.mean.size(); ++k)
      EXPECT_NEAR(effect.mean[k], again.effects[f].mean[k], 0.05) << "another sample of the rows";
    EXPECT_EQ(effect.values, loaded.explanation()->effects[f].values);
    EXPECT_EQ(effect.mean, loaded.explanation()->effects[f].mean);
    EXPECT_EQ(effect.lower, loaded.explanation()->effects[f].lower);
    EXPECT_EQ(effect.upper, loaded.explanation()->effects[f].upper);
    const std::size_t points = effect.values.size();
    for (std::size_t g = 0; g < points; ++g)
      EXPECT_NEAR(effect.mean[g] + effect.mean[points + g] + effect.mean[2 * points + g], 0, 1e-9);
  }
  const Effect& first = stored.effects[0];
  const std::size_t points = first.values.size();
  EXPECT_GT(first.mean[0], first.mean[points - 1] + 2) << "low";
  EXPECT_LT(first.mean[points], first.mean[2 * points - 1] - 2) << "high";
  EXPECT_GT(stored.importance[0].main, 0.8);
  EXPECT_LT(stored.importance[1].total, 0.1);
}

}  // namespace
}  // namespace induce::testing
