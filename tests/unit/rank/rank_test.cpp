// Which rows to label next. Oracles: dense formulas with the inverse of K_mm, the variance of a sum, a dense solve for the
// conditional covariance, and what must not change anything.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <set>

#include <induce/doubt.hpp>
#include <induce/error.hpp>
#include <induce/fit.hpp>
#include <induce/rank.hpp>

#include "likelihood/information.hpp"
#include "linalg/random.hpp"
#include "model/joint_covariance.hpp"
#include "model/label_batch.hpp"
#include "model/state.hpp"

namespace induce::testing {
namespace {

using namespace detail;

struct Rows {
  Rows(std::size_t n, unsigned seed, int classes = 2) {
    Random random(seed);
    for (std::size_t i = 0; i < n; ++i) {
      x.insert(x.end(), {random.normal(), random.normal()});
      const double f = 2 * std::sin(1.5 * x[2 * i]) + x[2 * i + 1] + 0.3 * random.normal();
      y.push_back(classes == 2 ? f > 0 : (f > -1) + (f > 1));
    }
  }
  TableView view() const { return {x.data(), y.size(), 2}; }
  std::vector<double> x;
  std::vector<int> y;
};

Model model_of(const std::string& kernel, std::size_t rows = 150, int classes = 2,
               const std::string& likelihood = "auto") {
  const Rows train(rows, 1, classes);
  Options options;
  options.kernel = kernel;
  options.likelihood = likelihood;
  options.warp = Warp::none;
  options.threads = 1;
  return fit(train.view(), train.y, options).model;
}

RowMatrix mapped(const Model& model, const Rows& rows) {
  const ModelState& state = state_of(model);
  RowMatrix points(static_cast<Index>(rows.y.size()), state.fitted.frame.d());
  state.map.apply(rows.x.data(), points.rows(), points.data());
  return points;
}

std::vector<Index> one_each(Index rows) {
  std::vector<Index> first;
  for (Index i = 0; i <= rows; ++i) first.push_back(i);
  return first;
}

// By columns of `with`.
Matrix all_of(JointCovariance& joint, Index c = 0) {
  Matrix S(joint.rows(), joint.rows());
  for (Index i = 0; i < joint.rows(); ++i) S.col(i) = joint.with(i).col(c);
  return S;
}

// k_ij - k_i'K^-1 k_j + k_i'K^-1 Sigma K^-1 k_j, in natural coordinates.
TEST(JointCovarianceOfRows, IsThatOfTheDenseFormula) {
  for (const int classes : {2, 3}) {
    const Model model = model_of("matern32", 150, classes);
    const Fitted& fitted = state_of(model).fitted;
    const RowMatrix points = mapped(model, Rows(40, 2));
    JointCovariance joint(fitted, points, one_each(40));
    const Frame& frame = fitted.frame;
    const Index m = frame.m();
    Matrix both(m + 40, frame.d()), K;
    both << frame.prior.Z, points;
    frame.kernel->place(frame.prior.theta.data(), both)->inducing_covariance(K);
    const Matrix K_mm = frame.L * frame.L.transpose(), A = K_mm.ldlt().solve(K.topRightCorner(m, 40));
    for (std::size_t c = 0; c < fitted.q.size(); ++c) {
      const double scale = frame.scale(static_cast<Index>(c));
      const Matrix S = scale * scale *
                       (K.bottomRightCorner(40, 40) - A.transpose() * K.topRightCorner(m, 40) +
                        A.transpose() * natural_covariance(frame, fitted.q[c]) * A);
      EXPECT_LT((all_of(joint, static_cast<Index>(c)) - S).cwiseAbs().maxCoeff(),
                1e-7 * S.cwiseAbs().maxCoeff());
    }
  }
}

// Var((f_i + f_j)/2) = (S_ii + S_jj + 2 S_ij)/4. A row may stand for two points; and a main effect is linear between knots, so
// a row in the middle of two that are close has this variance.
TEST(JointCovarianceOfRows, IsThatOfVariancesAlsoForTerms) {
  for (const char* kernel : {"se", "mains", "se+mains", "se+mains+pairs"}) {
    SCOPED_TRACE(kernel);
    const Model model = model_of(kernel);
    const Rows rows(40, 3);
    const RowMatrix points = mapped(model, rows);
    JointCovariance joint(state_of(model).fitted, points, one_each(40));
    const Matrix S = all_of(joint);
    const Prediction predicted = model.predict(rows.view(), 1);
    for (Index i = 0; i < 40; ++i)
      EXPECT_NEAR(S(i, i), predicted.variance[static_cast<std::size_t>(i)], 1e-8 * S.diagonal().maxCoeff());
    EXPECT_LT((S - S.transpose()).cwiseAbs().maxCoeff(), 1e-9);
    std::vector<Index> twos;
    for (Index i = 0; i <= 20; ++i) twos.push_back(2 * i);
    JointCovariance averaged(state_of(model).fitted, points, twos);
    const Matrix of_twos = all_of(averaged);
    for (Index i = 0; i < 20; ++i) EXPECT_NEAR(of_twos(i, i), S.block(2 * i, 2 * i, 2, 2).mean(), 1e-9);
    const std::vector<double> expected = novelty(model, rows.view(), 1);
    for (Index i = 0; i < 40; ++i) EXPECT_NEAR(joint.novelty(i), expected[static_cast<std::size_t>(i)], 1e-9);
  }
}

TEST(JointCovarianceOfRows, OfAMainEffectIsLinearBetweenKnots) {
  const Model model = model_of("mains");
  Rows rows(0, 1);
  const double a = 0.1, step = 1e-5;
  for (const double x : {a, a + step, a + step / 2}) rows.x.insert(rows.x.end(), {x, 0.3});
  rows.y = {0, 0, 0};
  const RowMatrix points = mapped(model, rows);
  JointCovariance joint(state_of(model).fitted, points, one_each(3));
  const Matrix S = all_of(joint);
  EXPECT_NEAR(S(0, 1), 2 * S(2, 2) - (S(0, 0) + S(1, 1)) / 2, 1e-10);
  EXPECT_NEAR(S(0, 1), model.predict(rows.view(), 1).variance[2], 1e-4);
}

struct Pool {
  Pool(const Model& model, std::size_t n, int classes = 2)
      : rows(n, 4, classes), points(mapped(model, rows)) {
    const Prediction predicted = model.predict(rows.view(), 1);
    const std::size_t functions = predicted.functions(), C = predicted.classes;
    for (std::size_t i = 0; i < n; ++i) {
      Candidate row{i, 0, 1, {}, {}, {}, {}};
      for (std::size_t c = 0; c < functions; ++c) {
        row.mean.push_back(predicted.mean[i * functions + c]);
        row.variance.push_back(predicted.variance[i * functions + c]);
      }
      for (std::size_t c = 0; c < C; ++c) row.p.push_back(predicted.probability(i, c));
      candidates.push_back(row);
    }
  }
  Rows rows;
  RowMatrix points;
  std::vector<Candidate> candidates;
};

// S - S_A (S_AA + W_A^-1)^-1 S_A by a dense solve. W is that of the labels before any was known.
Matrix conditional(const Matrix& S, const std::vector<Index>& A, const Vector& w) {
  if (A.empty()) return S;
  Matrix noisy = S(A, A);
  for (Index k = 0; k < noisy.rows(); ++k) noisy(k, k) += 1 / w[A[static_cast<std::size_t>(k)]];
  return S - S(Eigen::all, A) * noisy.ldlt().solve(Matrix(S(A, Eigen::all)));
}

TEST(BatchOfLabels, ChoosesAsTheDenseFormulasSay) {
  const Index n = 60, T = 25;
  for (const int classes : {2, 3}) {
    SCOPED_TRACE(classes);
    const Model model = model_of("se", 60, classes);
    const ModelState& state = state_of(model);
    const Pool pool(model, n, classes);
    JointCovariance joint(state.fitted, pool.points, one_each(n));
    const Index C = state.likelihood->latent_functions();
    std::vector<Matrix> S;
    Matrix w(n, C);
    Vector of_row(C);
    for (Index i = 0; i < n; ++i) {
      const Candidate& row = pool.candidates[static_cast<std::size_t>(i)];
      expected_weights(*state.likelihood, row.mean.data(), row.variance.data(), of_row.data());
      w.row(i) = of_row.transpose();
    }
    for (Index c = 0; c < C; ++c) S.push_back(all_of(joint, c));
    LabelBatch batch(state, pool.candidates, T, pool.points, one_each(n), 8);
    std::vector<Index> A{3};
    batch.choose(3, true);
    for (int step = 0; step < 6; ++step) {
      Vector gain = Vector::Zero(n - T);
      for (Index c = 0; c < C; ++c) {
        const Matrix given = conditional(S[c], A, w.col(c));
        for (Index i = 0; i < n; ++i)
          EXPECT_NEAR(batch.variances()(i, c), given(i, i), 1e-8 * S[c].diagonal().maxCoeff());
        for (Index j = 0; j < n - T; ++j)
          for (Index t = n - T; t < n; ++t)
            gain[j] += given(t, j) * given(t, j) / (given(t, t) + 1 / w(t, c)) / (given(j, j) + 1 / w(j, c)) /
                       2 / static_cast<double>(T);
      }
      for (const Index a : A) gain[a] = -1;
      Index expected = 0;
      gain.maxCoeff(&expected);
      ASSERT_EQ(batch.best(), expected);
      EXPECT_NEAR(batch.choose(expected, false).gain, gain[expected], 1e-8 * gain[expected]);
      A.push_back(expected);
    }
  }
}

TEST(RankedRows, AreNotAllAlike) {
  const Model model = model_of("se", 80);
  Rows pool(1000, 5);
  RankOptions options{.rows = 50, .random_share = 0, .threads = 1};
  const std::size_t best = rank_rows(model, pool.view(), options)[0].row;
  for (int copy = 0; copy < 49; ++copy) {  // alone they have the largest gain
    pool.x.insert(pool.x.end(), {pool.x[2 * best], pool.x[2 * best + 1]});
    pool.y.push_back(0);
  }
  std::size_t copies = 0;
  for (const RankedRow& row : rank_rows(model, pool.view(), options))
    copies += row.row == best || row.row >= 1000;
  EXPECT_LE(copies, 10U);
}

bool same(const std::vector<RankedRow>& a, const std::vector<RankedRow>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const RankedRow& one, const RankedRow& other) {
    return one.row == other.row && one.gain == other.gain && one.information == other.information &&
           one.novelty == other.novelty && one.random == other.random &&
           one.probabilities == other.probabilities;
  });
}

TEST(RankedRows, DoNotDependOnThreadsOrParts) {
  const Model model = model_of("se+mains", 200);
  const Rows pool(6000, 6);
  const RankOptions one{.rows = 40, .threads = 1}, three{.rows = 40, .threads = 3};
  const std::vector<RankedRow> expected = rank_rows(model, pool.view(), one);
  EXPECT_TRUE(same(expected, rank_rows(model, pool.view(), three)));
  PoolRanking ranking(model, one);
  for (std::size_t first = 0; first < 6000; first += 1024) {
    ranking.add({pool.view().row(first), std::min<std::size_t>(1024, 6000 - first), 2});
    EXPECT_LE(ranking.candidates().size(), 4U * 1000);  // whatever the size of the pool
  }
  EXPECT_TRUE(same(expected, ranking.choose()));
}

TEST(RankedRows, AShareIsDrawnFromTheWholePool) {
  const Model model = model_of("se");
  const Rows pool(400, 7);
  const auto drawn = [&](double share, std::uint64_t seed) {
    std::vector<std::size_t> rows;
    const std::vector<RankedRow> all =
        rank_rows(model, pool.view(), {.rows = 40, .random_share = share, .seed = seed, .threads = 1});
    EXPECT_EQ(all.size(), 40U);
    std::set<std::size_t> different;
    for (const RankedRow& row : all) {
      different.insert(row.row);
      if (row.random) rows.push_back(row.row);
    }
    EXPECT_EQ(different.size(), 40U);
    return rows;
  };
  EXPECT_EQ(drawn(0.1, 0).size(), 4U);
  EXPECT_EQ(drawn(0, 0).size(), 0U);
  EXPECT_EQ(drawn(1, 0).size(), 40U);
  EXPECT_EQ(drawn(1, 1), drawn(1, 1));
  EXPECT_NE(drawn(1, 1), drawn(1, 2));
  std::vector<double> count(4);  // of each quarter of the pool, over 50 seeds: 500 are expected
  for (std::uint64_t seed = 0; seed < 50; ++seed)
    for (const std::size_t row : drawn(1, seed)) count[row / 100] += 1;
  for (const double each : count) EXPECT_NEAR(each, 500, 4 * std::sqrt(500 * 0.75));
}

TEST(RankedRows, CostsAndSmallPools) {
  const Model model = model_of("se", 150, 3);
  const Rows pool(30, 8, 3);
  std::vector<double> costs(30, 1);
  const RankOptions options{.rows = 5, .random_share = 0, .threads = 1};
  const std::size_t first = rank_rows(model, pool.view(), options)[0].row;
  EXPECT_TRUE(same(rank_rows(model, pool.view(), options), rank_rows(model, pool.view(), options, costs)));
  costs[first] = 1e6;
  for (const RankedRow& row : rank_rows(model, pool.view(), options, costs)) EXPECT_NE(row.row, first);
  EXPECT_EQ(rank_rows(model, pool.view(), {.rows = 200, .threads = 1}).size(), 30U);
  EXPECT_TRUE(rank_rows(model, {nullptr, 0, 2}).empty());
  costs[4] = 0;
  const auto error_of = [&](const RankOptions& wrong, std::span<const double> given) -> std::string {
    try {
      rank_rows(model, pool.view(), wrong, given);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(error_of({}, costs), "row 4: the cost is 0, but it must be a number greater than 0");
  EXPECT_EQ(error_of({}, std::span(costs).first(3)), "there are 3 costs but 30 rows");
  EXPECT_EQ(error_of({.rows = 0}, {}), "rows = 0: must be at least 1 and at most 5000");
  EXPECT_EQ(error_of({.random_share = 1.5}, {}), "random_share = 1.5: must be between 0 and 1");
}

// A row whose gap the model has not learned is an average over what it may be.
TEST(RankedRows, HaveFiniteGainsWithNewGaps) {
  const Model model = model_of("se");
  Rows pool(50, 9);
  pool.x[2 * 7] = NAN;
  const std::vector<RankedRow> chosen = rank_rows(model, pool.view(), {.rows = 50, .threads = 1});
  ASSERT_EQ(chosen.size(), 50U);
  for (const RankedRow& row : chosen) EXPECT_TRUE(std::isfinite(row.gain) && row.gain >= 0);
}

// w = -E l'' for each label: of the logistic likelihood the same for both.
TEST(ExpectedWeights, AreMinusTheCurvatureOfTheExpectation) {
  const double m = 0.4, S2 = 1.7, step = 1e-3;
  for (const BinaryLikelihood* likelihood : binary_likelihoods()) {
    double expected = 0, w = 0;
    for (const double y : {-1.0, 1.0}) {
      double value[3];
      for (int k = 0; k < 3; ++k) {
        const double at = m + (k - 1) * step;
        likelihood->expected_log(&y, &at, &S2, 1, &value[k]);
      }
      const double p = likelihood->probability(m, S2);
      expected -= (y > 0 ? p : 1 - p) * (value[0] - 2 * value[1] + value[2]) / (step * step);
    }
    expected_weights(*likelihood, &m, &S2, &w);
    EXPECT_NEAR(w, expected, 1e-5) << likelihood->name();
  }
}

}  // namespace
}  // namespace induce::testing
