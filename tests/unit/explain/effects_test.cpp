// Effects and importance of a given posterior. Oracles: the posterior covariance of every pair of moved rows with explicit
// inverses (the slow twin), averaged by brute force; and the posterior of one function of a sum of functions.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "explain/effects.hpp"
#include "explain/points.hpp"
#include "support/bridge.hpp"
#include "support/close.hpp"
#include "support/engine.hpp"
#include "support/random_problem.hpp"

namespace induce::testing {
namespace {

constexpr double z95 = 1.959963985;

Vector vector_of(const std::vector<double>& x) {
  return Eigen::Map<const Vector>(x.data(), static_cast<Index>(x.size()));
}

TableView view_of(const RowMatrix& X) {
  return {X.data(), static_cast<std::size_t>(X.rows()), static_cast<std::size_t>(X.cols())};
}

FeatureMap identity_map(Index d) { return {{}, {}, {}, Standardizer::identity(d)}; }

Explanation explained(const Fitted& fitted, const RowMatrix& X, int threads = 1) {
  Workers workers(threads);
  const auto made =
      explain_fitted(fitted, identity_map(X.cols()), MemoryStore::as_it_is(view_of(X)), workers);
  EXPECT_TRUE(made);
  return made.value_or(Explanation{});
}

// The share of x at each grid point, by linear interpolation.
Vector shares(const Vector& grid, const Vector& x) {
  Vector p = Vector::Zero(grid.size());
  for (Index i = 0; i < x.size(); ++i)
    for (Index g = 0; g < grid.size(); ++g) {
      const bool first = g == 0, last = g == grid.size() - 1;
      if (x[i] == grid[g] || (first && x[i] < grid[g]) || (last && x[i] > grid[g])) p[g] += 1;
      if (!last && x[i] > grid[g] && x[i] < grid[g + 1]) {
        const double t = (x[i] - grid[g]) / (grid[g + 1] - grid[g]);
        p[g] += 1 - t;
        p[g + 1] += t;
      }
    }
  return p / static_cast<double>(x.size());
}

// Centres means and covariances of h on the grid and compares.
void expect_effect(const Effect& got, const Vector& h, const Matrix& C, const Vector& p, double tolerance) {
  const Matrix centre = Matrix::Identity(h.size(), h.size()) - Vector::Ones(h.size()) * p.transpose();
  const Vector c = centre * h, sd = (centre * C * centre.transpose()).diagonal().cwiseMax(0).cwiseSqrt();
  expect_close(vector_of(got.mean), c, tolerance, "effect");
  expect_close((vector_of(got.upper) - vector_of(got.mean)) / z95, sd, tolerance, "deviation");
  expect_close((vector_of(got.mean) - vector_of(got.lower)) / z95, sd, tolerance, "deviation");
}

// With n rows, all of which enter the averages.
class Brute : public ::testing::TestWithParam<int> {
 protected:
  naive::Problem problem = random_problem(static_cast<unsigned>(GetParam()), 9 + 8 * (GetParam() % 3), 6, 3);
};

TEST_P(Brute, EveryPairOfMovedRows) {
  if (GetParam() % 2) problem.kernel = "matern32";
  Engine engine(problem);
  engine.stage_one("newton", 4);
  const Fitted fitted{engine.frame, {engine.collapsed.q}};
  const Explanation got = explained(fitted, problem.X);
  const naive::Posterior q = twin_of(engine.frame, engine.collapsed.q);
  const Matrix inverse = problem.K_mm().inverse();
  const Index n = problem.X.rows();
  ASSERT_EQ(got.effects.size(), 3u);
  for (Index f = 0; f < 3; ++f) {
    const Effect& effect = got.effects[static_cast<std::size_t>(f)];
    const Vector grid = vector_of(effect.values);
    EXPECT_EQ(grid.size(), n <= 12 ? n : 41);
    RowMatrix moved(grid.size() * n, 3);
    for (Index g = 0; g < grid.size(); ++g)
      for (Index i = 0; i < n; ++i) {
        moved.row(g * n + i) = problem.X.row(i);
        moved(g * n + i, f) = grid[g];
      }
    const Matrix k = problem.K_nm(moved);
    naive::Problem at_moved = problem;
    at_moved.X = moved;
    at_moved.noise_std = 0;
    const Matrix C = at_moved.K_nn() - k * inverse * (problem.K_mm() - q.Sigma) * inverse * k.transpose();
    const Vector m = k * inverse * q.mu;
    Matrix average = Matrix::Zero(grid.size(), moved.rows());
    for (Index g = 0; g < grid.size(); ++g)
      average.row(g).segment(g * n, n).setConstant(1.0 / static_cast<double>(n));
    const Vector p = shares(grid, problem.X.col(f));
    expect_effect(effect, average * m, average * C * average.transpose(), p, 1e-6);
  }
}

// With 9 rows the shifts are all of them, so that every pair of rows is used.
TEST_P(Brute, ImportanceOverAllPairs) {
  const RowMatrix X = problem.X.topRows(9);
  Engine engine(problem);
  engine.stage_one("newton", 4);
  const Explanation got = explained({engine.frame, {engine.collapsed.q}}, X);
  const naive::Posterior q = twin_of(engine.frame, engine.collapsed.q);
  const auto mean_at = [&](const RowMatrix& rows) {
    return Vector(problem.K_nm(rows) * problem.K_mm().inverse() * q.mu);
  };
  const Vector m = mean_at(X);
  for (Index f = 0; f < 3; ++f) {
    double squares = 0, whole = 0, sum = 0;
    Vector average = Vector::Zero(9);  // h at the value of row j
    for (Index j = 0; j < 9; ++j) {
      RowMatrix moved = X;
      moved.col(f).setConstant(X(j, f));
      const Vector there = mean_at(moved);
      average[j] = there.mean();
      squares += (there - m).squaredNorm();
      whole += there.squaredNorm() - m[j] * m[j];  // without the row itself
      sum += there.sum() - m[j];
    }
    const double main = (average.array() - average.mean()).square().sum() / 8;
    const double total = std::max(main, squares / (2 * 9 * 8));
    const double variance = std::max(total, (whole - sum * sum / (9 * 8)) / (8 * 8));
    expect_close(got.importance[f].main, main / variance, 1e-7, "main");
    expect_close(got.importance[f].total, total / variance, 1e-7, "total");
  }
}

INSTANTIATE_TEST_SUITE_P(Problems, Brute, ::testing::Range(0, 6));

// Two features that are nearly equal can cancel in every row, so that the function hardly varies over the rows as they are,
// while each feature alone moves it a lot.
TEST(Effects, ImportanceIsAShareWhateverTheCorrelations) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    naive::Problem problem = random_problem(seed, 3 + 2 * seed, 6, 3);
    problem.X.col(1) = (seed % 2 ? 1 : -1) * problem.X.col(0) + 1e-3 * problem.X.col(1);
    Engine engine(problem);
    engine.stage_one("newton", 4);
    for (const Importance& share : explained({engine.frame, {engine.collapsed.q}}, problem.X).importance) {
      EXPECT_GE(share.main, 0) << seed;
      EXPECT_LE(share.main, share.total) << seed;
      EXPECT_LE(share.total, 1) << seed;
    }
  }
}

// k(x, z) = sum_f s_f^2 exp(-(x_f - z_f)^2 / 2): a kernel that the library knows only by its interface.
class OneFunctionPerFeature final : public Kernel {
 public:
  explicit OneFunctionPerFeature(Vector s2) : s2_(std::move(s2)) {}
  double k(Index f, double x, double z) const { return s2_[f] * std::exp(-(x - z) * (x - z) / 2); }
  double sum(const double* x, const double* z) const {
    double total = 0;
    for (Index f = 0; f < s2_.size(); ++f) total += k(f, x[f], z[f]);
    return total;
  }

  std::string name() const override { return "test"; }
  const std::vector<KernelParameter>& parameters() const override { return none_; }
  std::unique_ptr<PlacedKernel> place(const double*, const Matrix& Z) const override {
    return std::make_unique<Placed>(*this, Z);
  }

 private:
  class Placed final : public PlacedKernel {
   public:
    Placed(const OneFunctionPerFeature& kernel, const Matrix& Z) : kernel_(kernel), Z_(Z) {}
    double diagonal() const override { return kernel_.s2_.sum(); }
    double signal_variance() const override { return diagonal(); }
    Index workspace(Index) const override { return 0; }
    void load(const RowBlock&, double*) const override {}
    void covariance(const RowBlock& rows, double*, double* K) const override {
      for (Index i = 0; i < rows.rows; ++i)
        for (Index j = 0; j < Z_.rows(); ++j)
          K[i * Z_.rows() + j] = kernel_.sum(rows.x + i * rows.d, Z_.row(j).data());
    }
    Index pullback_size() const override { return 1; }
    void pull_back(const RowBlock&, double*, const double*, double*, double*, double*) const override {}
    void inducing_covariance(Matrix& K) override {
      K.resize(Z_.rows(), Z_.rows());
      covariance({0, Z_.rows(), Z_.cols(), Z_.data()}, nullptr, K.data());
    }
    void gradient(const double*, double, const Matrix&, double, double*, Matrix&) const override {}

   private:
    const OneFunctionPerFeature& kernel_;
    RowMatrix Z_;
  };

  Vector s2_;
  std::vector<KernelParameter> none_;
};

// Two features interact with nothing: the effect of each is the posterior of its own function, for any rows.
TEST(Effects, OfASumOfFunctionsAreThePosteriorOfEach) {
  const Index m = 7, d = 2;
  const auto kernel = std::make_shared<OneFunctionPerFeature>(Vector{{2, 0.5}});
  const Matrix Z = random_matrix(3, m, d), R = 0.4 * random_matrix(4, m, m);
  const Vector mu = random_matrix(5, m, 1);
  const Frame frame = make_frame(kernel, {.theta = Vector(0), .mean = 0.7, .Z = Z}, 1e-8);
  ASSERT_TRUE(frame.ok);
  const Fitted fitted{frame, {posterior_from(frame, mu, R)}};
  const Matrix K = frame.L * frame.L.transpose(), inverse = K.inverse();
  const Matrix reduced = inverse * (K - R * R.transpose()) * inverse;
  for (const Index n : {Index{10}, Index{300}}) {
    const RowMatrix X = random_matrix(static_cast<unsigned>(n), n, d);
    const Explanation got = explained(fitted, X);
    for (Index f = 0; f < d; ++f) {
      const Effect& effect = got.effects[static_cast<std::size_t>(f)];
      const Vector grid = vector_of(effect.values);
      const Matrix k = Matrix::NullaryExpr(grid.size(), m,
                                           [&](Index g, Index j) { return kernel->k(f, grid[g], Z(j, f)); });
      const Matrix prior = Matrix::NullaryExpr(
          grid.size(), grid.size(), [&](Index g, Index h) { return kernel->k(f, grid[g], grid[h]); });
      expect_effect(effect, k * inverse * mu, prior - k * reduced * k.transpose(), shares(grid, X.col(f)),
                    2e-5);
      EXPECT_NEAR(got.importance[f].main, got.importance[f].total, 0.1);
    }
  }
}

TEST(Effects, DoNotDependOnThreads) {
  naive::Problem problem = random_problem(11, 200, 9, 5);
  Engine engine(problem);
  engine.stage_one("newton", 3);
  const Fitted fitted{engine.frame, {engine.collapsed.q}};
  const Explanation one = explained(fitted, problem.X, 1), three = explained(fitted, problem.X, 3);
  for (std::size_t f = 0; f < 5; ++f) {
    EXPECT_EQ(one.effects[f].mean, three.effects[f].mean);
    EXPECT_EQ(one.effects[f].upper, three.effects[f].upper);
    EXPECT_EQ(one.importance[f].total, three.importance[f].total);
  }
}

// In a wide table only features that matter get a whole curve.
TEST(Effects, OfAWideTable) {
  naive::Problem problem = random_problem(3, 20, 50, 300);
  problem.lengthscales.setConstant(1000);
  problem.lengthscales[7] = 1;
  Engine engine(problem, 1e-6);
  engine.stage_one("newton", 3);
  const Explanation got = explained({engine.frame, {engine.collapsed.q}}, problem.X, 2);
  EXPECT_EQ(got.effects[7].values.size(), 11u);
  EXPECT_GT(got.importance[7].main, 0.5);
  EXPECT_EQ(got.effects[8].values.size(), 3u);
  EXPECT_LT(got.importance[8].total, 1e-3);
}

TEST(Effects, CanBeInterrupted) {
  const naive::Problem problem = random_problem(11, 30, 5, 4);
  Engine engine(problem);
  engine.stage_one("newton", 2);
  Workers workers(2);
  int asked = 0;
  workers.stop_when([&] { return ++asked > 1; });
  EXPECT_THROW(explain_fitted({engine.frame, {engine.collapsed.q}}, identity_map(4),
                              MemoryStore::as_it_is(view_of(problem.X)), workers),
               Stopped);
}

// A difference of two features that are nearly equal in all rows: each is half of what it does to rows in which they differ.
TEST(Effects, ImportanceIsAtMostTheWhole) {
  const Index n = 200, m = 25;
  const auto kernel = std::make_shared<OneFunctionPerFeature>(Vector{{1, 1}});
  RowMatrix X = random_matrix(6, n, 2);
  X.col(1) = X.col(0) + 0.01 * X.col(1);
  const Matrix Z = random_matrix(7, m, 2);
  const Frame frame = make_frame(kernel, {.theta = Vector(0), .mean = 0, .Z = Z}, 1e-6);
  ASSERT_TRUE(frame.ok);
  const Vector difference = Z.col(0).array().sin() - Z.col(1).array().sin();
  const Fitted fitted{frame, {posterior_from(frame, difference, 0.1 * Matrix::Identity(m, m))}};
  for (const Importance& share : explained(fitted, X).importance) {
    EXPECT_NEAR(share.total, 0.5, 0.1);
    EXPECT_LE(share.main, share.total);
  }
}

// Only the first feature matters: its share is all, whatever rows are drawn.
TEST(Effects, OneFeatureIsNotMoreThanAll) {
  const auto kernel = std::make_shared<OneFunctionPerFeature>(Vector{{1, 1e-12}});
  const Matrix Z = random_matrix(3, 12, 2);
  const Frame frame = make_frame(kernel, {.theta = Vector(0), .mean = 0, .Z = Z}, 1e-6);
  ASSERT_TRUE(frame.ok);
  const Fitted fitted{frame, {posterior_from(frame, Z.col(0), 0.1 * Matrix::Identity(12, 12))}};
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const Importance share = explained(fitted, random_matrix(seed, 300, 2)).importance[0];
    EXPECT_LE(share.total, 1) << seed;
    EXPECT_GT(share.total, 0.98) << seed;
  }
}

// A latent function that is constant has no variance to share.
TEST(Effects, OfAConstantFunctionAreNothing) {
  const naive::Problem problem = random_problem(1, 30, 4, 2);
  Engine engine(problem);
  const Fitted fitted{engine.frame, {posterior_from(engine.frame, Vector::Zero(4), Matrix::Identity(4, 4))}};
  for (const Importance& share : explained(fitted, problem.X).importance) {
    EXPECT_EQ(share.main, 0);
    EXPECT_EQ(share.total, 0);
  }
}

TEST(Grid, SharesAndInterpolation) {
  const FeatureRange range{.few = {0, 1, 3}, .few_at = {0, 1, 3}};
  const ColumnPoints points(identity_map(1), 0, range, 41);
  const RowMatrix X{{-1}, {0.5}, {3}, {2}};
  EXPECT_EQ(points.interpolate(Vector{{5, 7, 3}}, X, 3), 5);
  EXPECT_EQ(points.interpolate(Vector{{5, 7, 3}}, X, 0), 5);
  EXPECT_EQ(points.interpolate(Vector{{5, 7, 3}}, RowMatrix{{9}}, 0), 3);
  expect_close(points.shares(X, 4), Vector{{1.5 / 4, 1.0 / 4, 1.5 / 4}}, 1e-15, "shares");
}

TEST(Sample, WholeWeightsAreCopies) {
  const RowMatrix X = random_matrix(8, 4, 1);
  const std::vector<double> weights{1, 3, 2, 1};
  Workers workers(1);
  const RowSample sample =
      draw_rows(MemoryStore::as_it_is(view_of(X), {}, weights), identity_map(1), workers);
  ASSERT_EQ(sample.n(), 7);
  std::vector<double> count(4, 0);
  for (const Index row : sample.rows) ++count[static_cast<std::size_t>(row)];
  EXPECT_EQ(count, weights);
}

TEST(Sample, WorkIsBounded) {
  const ExplainSizes few = explain_sizes({.n = 800, .sample = 800, .m = 100, .d = 24});
  const ExplainSizes many = explain_sizes({.n = 100000, .sample = 2048, .m = 100, .d = 10});
  const ExplainSizes wide = explain_sizes({.n = 5000, .sample = 2000, .m = 200, .d = 1000});
  EXPECT_EQ(many.rows, 1000);
  EXPECT_EQ(many.curve, 256);
  EXPECT_EQ(many.band, 48);
  EXPECT_EQ(many.points, 41);
  EXPECT_LT(few.curve, many.curve);
  EXPECT_EQ(wide.points, 11);
  EXPECT_EQ(wide.rows, 64);
  EXPECT_FALSE(too_wide_to_explain({.n = 5000, .sample = 2000, .m = 200, .d = 1000}));
  EXPECT_TRUE(too_wide_to_explain({.n = 5000, .sample = 200, .m = 200, .d = 10000}));
}

}  // namespace
}  // namespace induce::testing
