// Terms with values of their own (term/terms.hpp) against n x n formulas that know neither whitening nor tables.
#include <gtest/gtest.h>

#include <cmath>

#include <Eigen/Dense>

#include "core/gradient.hpp"
#include "core/leave_one_out.hpp"
#include "linalg/random.hpp"
#include "support/close.hpp"
#include "support/random_problem.hpp"

namespace induce::testing {
namespace {

// Column 0: a number. Column 1: a number with gaps (features 1, 2). Column 2: three levels (features 3 to 5).
struct Problem {
  Problem(std::string kernel_name, Index rows, Index inputs, unsigned seed = 1)
      : name(std::move(kernel_name)), n(rows) {
    X.setZero(n, 6);
    w.resize(n);
    t.resize(n);
    for (Index i = 0; i < n; ++i) {
      Random random(1000 * seed + static_cast<std::uint64_t>(i));
      const auto normal = [&] { return 2 * random.uniform() + random.uniform() - 1.5; };
      X(i, 0) = normal();
      if (i % 7 == 3)
        X(i, 2) = 1;
      else
        X(i, 1) = std::round(4 * normal()) / 4;
      X(i, 3 + i % 3) = 1;
      w[i] = 0.05 + random.uniform();
      t[i] = normal();
    }
    Z = 0.7 * random_matrix(seed, inputs, 6);
    setting.d = 6;
    setting.group_of = {0, 1, 2, 3, 3, 3};
    setting.axes = axes(8);
    setting.pair_axes = axes(4);
    kernel = make_kernel(name, setting);
    theta = kernel->start();
    for (Index k = 0; k < theta.size(); ++k) theta[k] *= 1 + 0.2 * std::sin(static_cast<double>(k + 1));
  }

  std::vector<Axis> axes(Index knots) const {
    std::vector<Axis> all{{.first = 0, .count = 1, .value = 0, .knots = {}, .ranks = {}},
                          {.first = 1, .count = 2, .value = 1, .knots = {}, .ranks = {}},
                          {.first = 3, .count = 3, .value = -1, .knots = {}, .ranks = {}}};
    for (Axis& axis : all) {
      if (axis.value < 0) continue;
      std::vector<std::pair<double, double>> values;
      for (Index i = 0; i < n; ++i)
        if (axis.count == 1 || X(i, 2) == 0) values.emplace_back(X(i, axis.value), 1);
      place_knots(axis, values, knots);
    }
    return all;
  }

  Prior prior() const { return {.theta = theta, .mean = 0.3, .Z = Z}; }
  Sites sites() const {
    Sites all(n);
    all.w = w;
    all.t = t;
    all.c.setConstant(0.1);
    return all;
  }

  std::string name;
  Index n;
  RowMatrix X;
  Vector w, t;
  Matrix Z;
  KernelSetting setting;
  std::shared_ptr<const Kernel> kernel;
  Vector theta;
};

double parameter(const Problem& problem, const std::string& name, Index k) {
  return problem.theta[*problem.kernel->find(name) + k];
}

// Shares of a row on an axis, by interpolation of unit vectors.
Vector shares(const Axis& axis, const Vector& x) {
  Vector h = Vector::Zero(axis.size());
  Index level = 0;
  for (Index f = axis.first; f < axis.first + axis.count; ++f) {
    if (f == axis.value) continue;
    if (x[f] == 1) {
      h[level] = 1;
      return h;
    }
    ++level;
  }
  const double number = x[axis.value];
  for (std::size_t k = 0; k < axis.knots.size(); ++k) {
    double height = 0;
    if ((k == 0 && number <= axis.knots[0]) || (k + 1 == axis.knots.size() && number >= axis.knots[k]))
      height = 1;
    else if (k > 0 && number >= axis.knots[k - 1] && number <= axis.knots[k])
      height = (number - axis.knots[k - 1]) / (axis.knots[k] - axis.knots[k - 1]);
    else if (k + 1 < axis.knots.size() && number >= axis.knots[k] && number <= axis.knots[k + 1])
      height = 1 - (number - axis.knots[k]) / (axis.knots[k + 1] - axis.knots[k]);
    h[level + static_cast<Index>(k)] = height;
  }
  return h;
}

Matrix correlation(const Axis& axis, double l) {
  Matrix R = Matrix::Identity(axis.size(), axis.size()) * (1 + 1e-6);
  for (std::size_t a = 0; a < axis.knots.size(); ++a)
    for (std::size_t b = 0; b < axis.knots.size(); ++b)
      if (a != b) {
        const double r = std::sqrt(3) * std::abs(axis.ranks[a] - axis.ranks[b]) / l;
        R(axis.levels() + static_cast<Index>(a), axis.levels() + static_cast<Index>(b)) =
            (1 + r) * std::exp(-r);
      }
  return R;
}

// n x n: the covariance of the sum of all terms.
Matrix covariance_of_terms(const Problem& problem) {
  Matrix S = Matrix::Zero(problem.n, problem.n);
  const Terms& terms = *problem.kernel->terms();
  Index mains = 0, pairs = 0, of_mains = 0, of_pairs = 0;
  for (Index p = 0; p < terms.count(); ++p) {
    const Term& term = terms[p];
    Matrix own = Matrix::Ones(problem.n, problem.n);
    const bool pair = term.axes.size() == 2;
    for (const Axis& axis : term.axes) {
      const double l = !axis.has_lengthscale() ? 1
                       : pair                  ? parameter(problem, "pairs.lengthscales", of_pairs++)
                                               : parameter(problem, "mains.lengthscales", of_mains++);
      Matrix H(problem.n, axis.size());
      for (Index i = 0; i < problem.n; ++i) H.row(i) = shares(axis, problem.X.row(i)).transpose();
      own.array() *= (H * correlation(axis, l) * H.transpose()).array();
    }
    const double std = pair ? parameter(problem, "pairs.signal_std", pairs++)
                            : parameter(problem, "mains.signal_std", mains++);
    S += std * std * own;
  }
  return S;
}

struct Naive {
  double F;
  Vector m, S2;
};

Naive naive(const Problem& problem, const Frame& frame) {
  Matrix joint = Matrix::Zero(problem.n, problem.n);
  if (frame.m() > 0) {
    Matrix K(frame.m(), problem.n);
    const DenseRows rows(problem.X);
    Vector workspace(frame.placed->workspace(problem.n));
    const RowBlock block = rows.block(0, problem.n, nullptr);
    frame.placed->load(block, workspace.data());
    frame.placed->covariance(block, workspace.data(), K.data());
    joint = K.transpose() * (frame.L * frame.L.transpose()).inverse() * K;
  }
  const Matrix S = joint + covariance_of_terms(problem);
  const Vector root = problem.w.cwiseSqrt();
  const Matrix B = Matrix::Identity(problem.n, problem.n) + root.asDiagonal() * S * root.asDiagonal();
  const double mean = frame.mean();
  const Vector t = problem.t - mean * problem.w;
  const Matrix posterior = S - S * root.asDiagonal() * B.inverse() * root.asDiagonal() * S;
  const Vector rest = Vector::Constant(problem.n, frame.placed->diagonal()) - joint.diagonal();
  Naive out;
  out.m = Vector::Constant(problem.n, mean) + posterior * t;
  out.S2 = rest + posterior.diagonal();
  out.F = 0.1 * static_cast<double>(problem.n) + (mean * problem.t - mean * mean / 2 * problem.w).sum() +
          t.dot(posterior * t) / 2 - B.llt().matrixL().toDenseMatrix().diagonal().array().log().sum() -
          problem.w.dot(rest) / 2;
  return out;
}

struct Evaluation {
  Frame frame;
  Collapsed collapsed;
  Gradient gradient;
  Vector m, S2;
};

Evaluation evaluate(const Problem& problem, const Prior& prior, int threads = 1) {
  Workers workers(threads);
  Pass pass(problem.X, problem.Z.rows(), workers);
  Evaluation out{make_frame(problem.kernel, prior, 0), {}, {}, {}, {}};
  const Sites sites = problem.sites();
  collapse(out.frame, pass.first_half(out.frame, sites), out.collapsed);
  out.gradient = fixed_site_gradient(pass, out.frame, std::span(&out.collapsed, 1), sites, out.m, out.S2);
  return out;
}

const std::vector<std::string>& names() {
  static const std::vector<std::string> all{"se+mains", "matern32+mains:0,2+pairs:0*1,1*2", "mains+pairs:0*1",
                                            "pairs:0*1,0*2,1*2"};
  return all;
}

Problem problem_of(const std::string& name) {
  return Problem(name, 45, name.starts_with("mains") || name.starts_with("pairs") ? 0 : 5);
}

TEST(Terms, BoundAndMarginalsAreThoseOfTheCovarianceOfAllRows) {
  for (const std::string& name : names()) {
    SCOPED_TRACE(name);
    const Problem problem = problem_of(name);
    const Evaluation got = evaluate(problem, problem.prior());
    ASSERT_TRUE(got.collapsed.ok);
    const Naive want = naive(problem, got.frame);
    expect_close(got.collapsed.F, want.F, 1e-9, "F");
    expect_close(got.m, want.m, 1e-8, "m");
    expect_close(got.S2, want.S2, 1e-8, "S2");
  }
}

TEST(Terms, GradientIsTheDifferenceOfTheBound) {
  for (const std::string& name : names()) {
    SCOPED_TRACE(name);
    const Problem problem = problem_of(name);
    const Gradient gradient = evaluate(problem, problem.prior()).gradient;
    const auto difference = [&](const auto& move) {
      constexpr double step = 1e-5;
      Prior up = problem.prior(), down = problem.prior();
      move(up, step);
      move(down, -step);
      return (evaluate(problem, up).collapsed.F - evaluate(problem, down).collapsed.F) / (2 * step);
    };
    for (Index k = 0; k < problem.theta.size(); ++k)
      EXPECT_NEAR(gradient.log_theta[k],
                  difference([&](Prior& prior, double step) { prior.theta[k] *= std::exp(step); }), 2e-6)
          << "theta " << k;
    EXPECT_NEAR(gradient.mean, difference([](Prior& prior, double step) { prior.mean += step; }), 1e-6);
    for (Index k = 0; k < problem.Z.size(); ++k)
      EXPECT_NEAR(gradient.Z.data()[k],
                  difference([&](Prior& prior, double step) { prior.Z.data()[k] += step; }), 1e-6)
          << "Z " << k;
  }
}

TEST(Terms, SameBitsOnAnyNumberOfThreads) {
  const Problem problem("se+mains+pairs:0*1", 20000,
                        7);  // groups of leaves, and more than one tile of values
  const Evaluation one = evaluate(problem, problem.prior());
  for (const int threads : {2, 3}) {
    const Evaluation many = evaluate(problem, problem.prior(), threads);
    EXPECT_EQ(many.collapsed.F, one.collapsed.F);
    EXPECT_TRUE(many.gradient.log_theta == one.gradient.log_theta);
    EXPECT_TRUE(many.gradient.Z == one.gradient.Z);
    EXPECT_TRUE(many.S2 == one.S2);
  }
}

// A term alone with a knot at every row is the exact process: no row is between two knots.
TEST(Terms, KnotsAtAllRowsAreTheExactProcess) {
  Problem problem("mains:0", 30, 0);
  problem.setting.axes = problem.axes(30);
  problem.kernel = make_kernel(problem.name, problem.setting);
  const Axis& axis = (*problem.kernel->terms())[0].axes[0];
  ASSERT_EQ(axis.size(), 30);
  const Evaluation got = evaluate(problem, problem.prior());
  Matrix K(30, 30);
  for (Index i = 0; i < 30; ++i)
    for (Index j = 0; j < 30; ++j) {
      const auto rank = [&](Index row) {
        return ((problem.X.col(0).array() < problem.X(row, 0)).cast<double>().sum() + 0.5) / 30;
      };
      const double r = std::sqrt(3) * std::abs(rank(i) - rank(j)) / problem.theta[1];
      K(i, j) = problem.theta[0] * problem.theta[0] * ((1 + r) * std::exp(-r) + (i == j ? 1e-6 : 0));
    }
  const Vector mean = Vector::Constant(30, 0.3);
  const Matrix Sigma = (K.inverse() + Matrix(problem.w.asDiagonal())).inverse();
  expect_close(got.m, Vector(mean + Sigma * (problem.t - problem.w.cwiseProduct(mean))), 1e-7, "m");
  expect_close(got.S2, Vector(Sigma.diagonal()), 1e-7, "S2");
}

// A main effect with two knots, at the ends of the column, is a line over it: Bayesian linear logistic regression, with the
// prior of two heights. The twin iterates the same variational sites in the space of the two heights, with integrals of its own.
TEST(Terms, ALineIsBayesianLinearLogisticRegression) {
  constexpr Index n = 60;
  RowMatrix X(n, 1);
  Vector y(n);
  Random random(11);
  for (Index i = 0; i < n; ++i) {
    X(i, 0) = i < 2 ? 4.0 * static_cast<double>(i) - 1 : 4 * random.uniform() - 1;  // from -1 to 3
    y[i] = random.uniform() < 1 / (1 + std::exp(0.5 - X(i, 0))) ? 1 : -1;
  }
  KernelSetting setting{.d = 1};
  setting.axes = {{.first = 0, .count = 1, .value = 0, .knots = {-1, 3}, .ranks = {0, 1}}};
  const auto kernel = make_kernel("mains:0", setting);
  const Prior prior{.theta = Eigen::Vector2d(1.5, 0.8), .mean = 0.2, .Z = Matrix(0, 1)};
  const Frame frame = make_frame(kernel, prior);
  const auto rule = make_site_rule("newton", likelihood("logistic", 2));
  Workers workers(1);
  Pass pass(X, 0, workers);
  Sites sites(n);
  sites.w.setConstant(0.25);
  sites.t = y / 2;
  Vector m, S2;
  for (int round = 0; round < 60; ++round) {
    Collapsed collapsed;
    collapse(frame, pass.first_half(frame, sites), collapsed);
    ASSERT_TRUE(collapsed.ok);
    pass.marginals(frame, collapsed.q, m, S2);
    rule->refresh(y.data(), m.data(), S2.data(), n, sites.w.data(), sites.t.data(), sites.c.data());
  }

  const double r = std::sqrt(3) / 0.8, rho = (1 + r) * std::exp(-r);
  Eigen::Matrix2d K;
  K << 1 + 1e-6, rho, rho, 1 + 1e-6;
  K *= 1.5 * 1.5;
  Matrix H(n, 2);
  H << (3 - X.col(0).array()) / 4, (X.col(0).array() + 1) / 4;
  Eigen::Vector2d mu(0, 0);
  Eigen::Matrix2d Sigma = K;
  for (int round = 0; round < 60; ++round) {
    Eigen::Matrix2d precision = K.inverse();
    Eigen::Vector2d force(0, 0);
    for (Index i = 0; i < n; ++i) {
      const Eigen::Vector2d h = H.row(i).transpose();
      const double mean = 0.2 + h.dot(mu), sd = std::sqrt(h.dot(Sigma * h));
      double total = 0, slope = 0, curvature = 0;  // of log sigma(y f), by the trapezoid rule
      for (double z = -9; z <= 9; z += 0.01) {
        const double density = std::exp(-z * z / 2), p = 1 / (1 + std::exp(-mean - sd * z));
        total += density;
        slope += density * ((y[i] > 0 ? 1 : 0) - p);
        curvature += density * p * (1 - p);
      }
      const double w = curvature / total;
      precision += w * h * h.transpose();
      force += (slope / total + w * (mean - 0.2)) * h;
    }
    Sigma = precision.inverse();
    mu = Sigma * force;
  }
  for (Index i = 0; i < n; ++i) {
    EXPECT_NEAR(m[i], 0.2 + H.row(i).dot(mu), 1e-7);
    EXPECT_NEAR(S2[i], H.row(i) * Sigma * H.row(i).transpose(), 1e-7);
  }
}

// Refitting without each row, sites fixed.
TEST(Terms, LeaveOneOutIsARefitWithoutTheRow) {
  Problem problem("se+mains+pairs:0*2", 25, 4);
  const Evaluation all = evaluate(problem, problem.prior());
  Workers workers(1);
  Pass pass(problem.X, 4, workers);
  const LeaveOneOut got =
      leave_one_out(pass, all.frame, problem.sites(), Vector::Ones(problem.n), all.m, all.S2);
  for (Index i = 0; i < problem.n; ++i) {
    Problem without = problem;
    without.w[i] = 0;
    without.t[i] = 0;
    const Evaluation want = evaluate(without, problem.prior());
    EXPECT_NEAR(got.m[i], want.m[i], 1e-9);
    EXPECT_NEAR(got.S2[i], want.S2[i], 1e-9);
  }
}

}  // namespace
}  // namespace induce::testing
