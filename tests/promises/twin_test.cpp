// The engine against the dense twin (dense_twin.hpp) on random problems: every kernel and site rule, features in
// units from 1e-150 to 1e150, equal rows, inputs among the rows, weights, one row of a class.
//
// Tolerances. The library's integrals are accurate to 3e-10 per row, and rounding in whitening a row with L grows
// with the condition number kappa of K_mm. Both enter, relative to the size of the quantity compared:
//   1e-8 (1 + sum of weights) + safety eps kappa,    safety = 64.
#include <gtest/gtest.h>

#include "core/gradient.hpp"
#include "dense_twin.hpp"
#include "how_many.hpp"
#include "generated_problem.hpp"
#include "model/state.hpp"
#include "support/naive.hpp"
#include "train/methods.hpp"
#include "train/row_sums.hpp"

namespace induce::testing {
namespace {

Dense dense_of(const RowMatrix& X) {
  Dense out = dense(static_cast<std::size_t>(X.rows()), static_cast<std::size_t>(X.cols()));
  std::copy_n(X.data(), X.size(), out.values.begin());
  return out;
}

Reals reals_of(const Vector& v) { return {v.begin(), v.end()}; }

TwinPrior twin_of(const std::string& kernel, const Frame& frame) {
  const Vector& theta = frame.prior.theta;
  const auto noise = frame.kernel->find("noise_std");
  const Index count = frame.kernel->parameters()[1].count;
  const Vector l =
      count == frame.d() ? Vector(theta.segment(1, count)) : Vector::Constant(frame.d(), theta[1]);
  return {kernel,       theta[0],    noise ? theta[*noise] : 0, frame.mean(),
          frame.jitter, reals_of(l), dense_of(frame.prior.Z)};
}

// A prior, rows and sites for the engine.
struct EngineProblem {
  std::string kernel, rule;
  RowMatrix X;
  Targets targets;
  bool ard = true, noise = false;
  Prior prior;
  std::string text;
};

enum class Kind { any, smooth };  // smooth: a gradient exists, and K_mm is well conditioned

EngineProblem make(std::uint64_t seed, Kind kind) {
  Random random(seed);
  const auto one_in = [&](std::uint64_t k) { return random.below(k) == 0; };
  const auto magnitude = [&](double low, double high) {
    return std::pow(10.0, low + (high - low) * random.uniform());
  };
  const auto& kernels = example_shapes();
  EngineProblem problem;
  problem.kernel = kernels[random.below(kernels.size())];
  problem.rule = site_rule_names()[random.below(3)];
  const Index n = 2 + static_cast<Index>(random.below(kind == Kind::any ? 29 : 14));
  const Index d = 1 + static_cast<Index>(random.below(kind == Kind::any ? 6 : 3));
  const Index m =
      1 + static_cast<Index>(random.below(std::min<std::uint64_t>(n, kind == Kind::any ? 20 : 4)));
  const bool ard = one_in(2);

  Vector unit(d);
  for (double& u : unit) u = one_in(2) ? magnitude(-150, 150) : 1;
  if (!ard) unit.setConstant(unit[0]);
  problem.X = RowMatrix::NullaryExpr(n, d, [&] { return random.normal(); });
  if (kind == Kind::any) {
    if (one_in(3))
      for (Index i = 0; i < n; ++i)
        problem.X.row(i) = problem.X.row(static_cast<Index>(random.below(n))).eval();
    if (one_in(4)) problem.X.col(0).setConstant(0.75);
  }
  Matrix& Z = problem.prior.Z;
  Z = Matrix::NullaryExpr(m, d, [&] { return random.normal(); });
  if (kind == Kind::any && one_in(2)) Z = problem.X.topRows(m);
  problem.X = problem.X * unit.asDiagonal();
  Z = Z * unit.asDiagonal();

  Vector y(n), weight(n);
  const bool rare = one_in(3);
  for (Index i = 0; i < n; ++i) {
    y[i] = rare ? (i == 0 ? 1 : -1) : one_in(2) ? 1 : -1;
    weight[i] = one_in(4) ? static_cast<double>(random.below(3)) : 1;
  }
  problem.targets = {y, weight};

  problem.ard = ard;
  std::vector<double> theta{magnitude(-1.5, kind == Kind::any ? 1.5 : 0.5)};
  for (Index f = 0; f < (ard ? d : 1); ++f) theta.push_back(unit[f] * magnitude(-0.5, 1));
  problem.noise = !(kind == Kind::any && one_in(2));
  if (problem.noise) theta.push_back(theta[0] * magnitude(-1.5, 0));
  problem.prior.theta = Eigen::Map<const Vector>(theta.data(), static_cast<Index>(theta.size()));
  problem.prior.mean = one_in(2) ? 0 : random.normal();
  std::ostringstream text;
  text << "INDUCE_SEED=" << seed << ": " << problem.kernel << ", " << problem.rule << ", n = " << n
       << ", d = " << d << ", m = " << m;
  problem.text = text.str();
  return problem;
}

// Two rounds of sites from the marginals of the prior, as in training.
struct Engine {
  explicit Engine(const EngineProblem& problem)
      : workers(1),
        pass(problem.X, problem.prior.Z.rows(), workers),
        frame(make_frame(
            make_kernel(problem.kernel, {.d = problem.X.cols(), .ard = problem.ard, .noise = problem.noise}),
            problem.prior)),
        sites(problem.X.rows()),
        m(Vector::Constant(problem.X.rows(), problem.prior.mean)),
        S2(Vector::Constant(problem.X.rows(), frame.placed->diagonal())) {
    for (int round = 0; round < 2; ++round) {
      refresh_sites(*make_site_rule(problem.rule, likelihood("logistic")), problem.targets, m, S2, workers,
                    sites);
      collapse(frame, pass.first_half(frame, sites), collapsed);
      pass.marginals(frame, collapsed.q, m, S2);
    }
  }

  Workers workers;
  Pass pass;
  Frame frame;
  Sites sites;
  Collapsed collapsed;
  Vector m, S2;
};

// The same two rounds, with the site rules of the other twin.
TwinSites sites_of_twin(const EngineProblem& problem, const TwinPrior& prior, const Dense& X) {
  const Index n = problem.X.rows();
  naive::Marginals marginals{Vector::Constant(n, problem.prior.mean),
                             Vector::Constant(n, static_cast<double>(prior.k_ii()))};
  TwinSites sites;
  for (int round = 0; round < 2; ++round) {
    const naive::Sites fresh = naive::refresh_sites(problem.rule, problem.targets.y, marginals);
    sites = {reals_of(fresh.w.cwiseProduct(problem.targets.weight)),
             reals_of(fresh.t.cwiseProduct(problem.targets.weight)),
             reals_of(fresh.c.cwiseProduct(problem.targets.weight))};
    if (round == 1) break;
    const TwinPosterior q(prior, X, sites);
    for (Index i = 0; i < n; ++i) {
      Real m = 0, S2 = 0;
      q.marginal(&X.values[static_cast<std::size_t>(i) * X.cols], m, S2);
      marginals.m[i] = static_cast<double>(m);
      marginals.S2[i] = std::max(static_cast<double>(S2), 0.0);
    }
  }
  return sites;
}

struct Tolerance {
  double relative;
  void near(double got, Real want, double size, const char* what) const {
    EXPECT_NEAR(got, static_cast<double>(want), relative * (size + std::abs(static_cast<double>(want))))
        << what;
  }
};

Tolerance tolerance_of(const EngineProblem& problem, const TwinPrior& prior) {
  constexpr double safety = 64;
  return {1e-8 * (1 + problem.targets.weight.sum()) +
          safety * std::numeric_limits<double>::epsilon() * static_cast<double>(prior.condition())};
}

TEST(Twin, BoundPosteriorAndMarginalsAgree) {
  each_seed(1, problems_or(1500), [&](std::uint64_t seed) {
    const EngineProblem problem = make(seed, Kind::any);
    SCOPED_TRACE(problem.text);
    const Engine engine(problem);
    EXPECT_TRUE(engine.frame.ok && engine.collapsed.ok);
    const Dense X = dense_of(problem.X);
    const TwinPrior prior = twin_of(problem.kernel, engine.frame);
    const TwinPosterior twin(prior, X, sites_of_twin(problem, prior, X));
    const Tolerance tolerance = tolerance_of(problem, prior);

    tolerance.near(engine.collapsed.F, twin.bound, 1, "bound");
    const double k_ii = engine.frame.placed->diagonal(), deviation = std::sqrt(k_ii);
    for (Index i = 0; i < problem.X.rows(); ++i) {
      Real m = 0, S2 = 0;
      twin.marginal(&X.values[static_cast<std::size_t>(i) * X.cols], m, S2);
      tolerance.near(engine.m[i], m, deviation, "m");
      tolerance.near(engine.S2[i], S2, k_ii, "S2");
    }
    const Vector mu = natural_mean(engine.frame, engine.collapsed.q);
    const Matrix Sigma = natural_covariance(engine.frame, engine.collapsed.q);
    for (Index j = 0; j < mu.size(); ++j) {
      const auto at = static_cast<std::size_t>(j);
      tolerance.near(mu[j], twin.u_mean(at), deviation, "mu");
      tolerance.near(Sigma(j, 0), twin.u_covariance(at, 0), k_ii, "Sigma");
    }
    return !::testing::Test::HasFailure();
  });
}

// dF/dx by a five-point difference; step in units of the coordinate's own scale.
template <class Move>
Real difference(const Move& bound_at) {
  constexpr Real h = 1e-3L;
  return (bound_at(-2 * h) - 8 * bound_at(-h) + 8 * bound_at(h) - bound_at(2 * h)) / (12 * h);
}

// Differences need a smooth function: no row within a few steps of an input, where rough kernels have a kink.
bool is_smooth_around(const EngineProblem& problem, const TwinPrior& prior) {
  if (problem.kernel == "se") return true;
  const RowMatrix Z = problem.prior.Z;
  for (Index j = 0; j < Z.rows(); ++j)
    for (Index i = 0; i < problem.X.rows() + j; ++i) {
      Real r2 = 0;
      for (Index f = 0; f < Z.cols(); ++f) {
        const double other = i < problem.X.rows() ? problem.X(i, f) : Z(i - problem.X.rows(), f);
        r2 += std::pow((Real(Z(j, f)) - other) / prior.lengthscales[static_cast<std::size_t>(f)], 2);
      }
      if (r2 < 0.04L) return false;
    }
  return true;
}

TEST(Twin, GradientMatchesTheTwinsBound) {
  each_seed(1, problems_or(300), [&](std::uint64_t seed) {
    const EngineProblem problem = make(seed, Kind::smooth);
    Engine engine(problem);
    const TwinPrior prior = twin_of(problem.kernel, engine.frame);
    if (!is_smooth_around(problem, prior)) return true;
    SCOPED_TRACE(problem.text);
    const Gradient got = fixed_site_gradient(engine.pass, engine.frame, {&engine.collapsed, 1}, engine.sites,
                                             engine.m, engine.S2);
    const Dense X = dense_of(problem.X);
    const TwinSites sites{reals_of(engine.sites.w), reals_of(engine.sites.t), reals_of(engine.sites.c)};
    const auto bound = [&](const TwinPrior& moved) { return TwinPosterior(moved, X, sites).bound; };
    // The condition number of K_mm is below 1e5 here; the difference itself is accurate to about 1e-9.
    const Tolerance tolerance{1e-6};
    const double size = 1 + std::abs(engine.collapsed.F);

    tolerance.near(got.log_theta[0], difference([&](Real h) {
                     TwinPrior moved = prior;
                     moved.signal_std *= std::exp(h);
                     return bound(moved);
                   }),
                   size, "log signal_std");
    tolerance.near(got.log_theta[got.log_theta.size() - 1], difference([&](Real h) {
                     TwinPrior moved = prior;
                     moved.noise_std *= std::exp(h);
                     return bound(moved);
                   }),
                   size, "log noise_std");
    tolerance.near(got.mean, difference([&](Real h) {
                     TwinPrior moved = prior;
                     moved.mean += h;
                     return bound(moved);
                   }),
                   size, "mean");
    for (std::size_t f = 0; f < X.cols; ++f) {
      if (problem.ard || f == 0)
        tolerance.near(got.log_theta[1 + static_cast<Index>(f)], difference([&](Real h) {
                         TwinPrior moved = prior;
                         for (std::size_t each = 0; each < X.cols; ++each)
                           if (each == f || !problem.ard) moved.lengthscales[each] *= std::exp(h);
                         return bound(moved);
                       }),
                       size, "log length-scale");
      const double l = static_cast<double>(prior.lengthscales[f]);
      for (std::size_t j = 0; j < prior.Z.rows; ++j)
        tolerance.near(l * got.Z(static_cast<Index>(j), static_cast<Index>(f)), difference([&](Real h) {
                         TwinPrior moved = prior;
                         moved.Z(j, f) += h * prior.lengthscales[f];
                         return bound(moved);
                       }),
                       size, "Z");
    }
    return !::testing::Test::HasFailure();
  });
}

// Predictions of a complete fit, recomputed from the model's numbers: rows in the model's units, v = L^-1 k with
// the twin's own L, mean + v'a, k_ii - v'D v, and the probability by a fine trapezoid rule.
TEST(Twin, PredictionsFollowFromTheModelsNumbers) {
  each_seed(1, problems_or(200), [&](std::uint64_t seed) {
    GeneratedProblem problem = generated_problem(seed, methods[seed % methods.size()].method);
    problem.options.warp = Warp::none;
    problem.options.max_iter = 2;
    SCOPED_TRACE(problem.text());
    const Model model = problem.fit().model;
    const Frame& frame = detail::state_of(model).fitted.frame;
    const Posterior& q = detail::state_of(model).fitted.q[0];
    const Standardizer& units = detail::state_of(model).map.standardizer;
    const TwinPrior prior = twin_of(model.kernel(), frame);
    const Dense L = prior.cholesky_of_K_mm();
    const Prediction got = model.predict(problem.view());
    const double size = std::sqrt(frame.placed->diagonal()), reach = 1 + q.a.norm();
    const Tolerance tolerance{1e-9 + 64 * std::numeric_limits<double>::epsilon() *
                                         static_cast<double>(prior.condition())};
    for (std::size_t i = 0; i < problem.y.size(); ++i) {
      Reals x(problem.d);
      for (std::size_t f = 0; f < problem.d; ++f) {
        const auto at = static_cast<Index>(f);
        x[f] = (Real(problem.view().row(i)[f]) - units.shift[at]) / units.scale[at];
      }
      const Reals v = solve_lower(L, prior.with_inputs(x.data()));
      Real mean = prior.mean, variance = prior.k_ii();
      for (std::size_t j = 0; j < v.size(); ++j) {
        mean += v[j] * q.a[static_cast<Index>(j)];
        for (std::size_t k = 0; k < v.size(); ++k)
          variance -= v[j] * q.D(static_cast<Index>(j), static_cast<Index>(k)) * v[k];
      }
      tolerance.near(got.mean[i], mean, size * reach, "mean");
      tolerance.near(got.variance[i], std::max(variance, Real(0)), size * size * (1 + q.D.norm()),
                     "variance");
      EXPECT_NEAR(got.probability(i, 1), naive::predictive_probability(got.mean[i], got.variance[i]), 1e-12);
    }
    return !::testing::Test::HasFailure();
  });
}

}  // namespace
}  // namespace induce::testing
