#include "support/naive_classes.hpp"

#include <Eigen/Dense>
#include <cmath>
#include <numbers>
#include <random>

namespace induce::naive {

double ClassProblem::k(const Vector& x, const Vector& z) const {
  const Vector e = (x - z).cwiseQuotient(lengthscales);
  return signal_std * signal_std * correlation(shape, e.norm());
}

double ClassProblem::k_ii() const { return signal_std * signal_std + noise_std * noise_std; }

Matrix ClassProblem::K_nm(const RowMatrix& rows) const {
  return Matrix::NullaryExpr(rows.rows(), Z.rows(), [&](Index i, Index j) {
    return k(rows.row(i).transpose(), Z.row(j).transpose());
  });
}

Matrix ClassProblem::K_mm() const {
  Matrix K = K_nm(RowMatrix(Z));
  K.diagonal().array() += noise_std * noise_std;
  return K;
}

std::vector<Posterior> posteriors(const ClassProblem& problem, const ClassSites& sites) {
  std::vector<Posterior> q;
  for (Index c = 0; c < problem.classes(); ++c) {
    const double r2 = problem.scale[c] * problem.scale[c];
    const Matrix K_nm = r2 * problem.K_nm(problem.X), inverse = (r2 * problem.K_mm()).inverse();
    const Matrix A = K_nm * inverse;  // E[f - mean | u] = A u
    const Matrix Sigma = (inverse + A.transpose() * sites.w.col(c).asDiagonal() * A).inverse();
    const Vector t = sites.t.col(c) - sites.w.col(c) * problem.mean[c];
    q.push_back({Sigma * A.transpose() * t, Sigma});
  }
  return q;
}

ClassMarginals marginals(const ClassProblem& problem, const std::vector<Posterior>& q,
                         const RowMatrix& rows) {
  ClassMarginals out{Matrix(rows.rows(), problem.classes()), Matrix(rows.rows(), problem.classes())};
  for (Index c = 0; c < problem.classes(); ++c) {
    const double r2 = problem.scale[c] * problem.scale[c];
    const Matrix K_nm = r2 * problem.K_nm(rows), K_mm = r2 * problem.K_mm(), A = K_nm * K_mm.inverse();
    out.m.col(c) = (A * q[c].mu).array() + problem.mean[c];
    out.S2.col(c) = (A * (q[c].Sigma - K_mm) * A.transpose()).diagonal().array() + r2 * problem.k_ii();
  }
  return out;
}

double kl(const ClassProblem& problem, const std::vector<Posterior>& q) {
  double sum = 0;
  for (Index c = 0; c < problem.classes(); ++c)
    sum += kl(q[c].mu, q[c].Sigma, problem.scale[c] * problem.scale[c] * problem.K_mm());
  return sum;
}

double bound(const ClassProblem& problem, const ClassSites& sites, const std::vector<Posterior>& q) {
  const ClassMarginals f = marginals(problem, q, problem.X);
  const Matrix squares = f.m.cwiseAbs2() + f.S2;
  return sites.c.sum() + sites.t.cwiseProduct(f.m).sum() - sites.w.cwiseProduct(squares).sum() / 2 -
         kl(problem, q);
}

double collapsed_bound(const ClassProblem& problem, const ClassSites& sites) {
  return bound(problem, sites, posteriors(problem, sites));
}

namespace {

double log_sum_exp(const Vector& f) {
  const double top = f.maxCoeff();
  return top + std::log((f.array() - top).exp().sum());
}

}  // namespace

SoftmaxMeans softmax_means(const Vector& m, const Vector& S2) {
  const Index C = m.size();
  constexpr double half_width = 7.5;
  const Vector step = 0.7 / S2.array().sqrt().max(1.0);
  const Eigen::VectorXi half = (half_width / step.array()).ceil().cast<int>();
  const double volume = (step / std::sqrt(2 * std::numbers::pi)).prod();
  SoftmaxMeans out{0, Vector::Zero(C), Vector::Zero(C)};
  Eigen::VectorXi at = -half;  // the grid point, counted up like an odometer
  Vector f(C), p(C);
  for (bool more = true; more;) {
    double square = 0;
    for (Index c = 0; c < C; ++c) {
      const double z = at[c] * step[c];
      square += z * z;
      f[c] = m[c] + std::sqrt(S2[c]) * z;
    }
    if (square < half_width * half_width) {
      const double weight = volume * std::exp(-square / 2);
      const double log_sum = log_sum_exp(f);
      p = (f.array() - log_sum).exp();
      out.log_sum += weight * log_sum;
      out.p += weight * p;
      out.w += weight * p.cwiseProduct((1 - p.array()).matrix());
    }
    more = false;
    for (Index j = 0; j < C && !more; ++j) {
      more = at[j] < half[j];
      at[j] = more ? at[j] + 1 : -half[j];
    }
  }
  return out;
}

ClassSites newton_sites(const ClassProblem& problem, const ClassMarginals& q) {
  const Index n = problem.n(), C = problem.classes();
  ClassSites sites{Matrix(n, C), Matrix(n, C), Vector(n)};
  for (Index i = 0; i < n; ++i) {
    const Vector m = q.m.row(i), S2 = q.S2.row(i);
    const SoftmaxMeans means = softmax_means(m, S2);
    const Index label = static_cast<Index>(problem.y[i]);
    const Vector t = Vector::Unit(C, label) - means.p + means.w.cwiseProduct(m);
    const double value = m[label] - means.log_sum;
    sites.w.row(i) = problem.weight[i] * means.w;
    sites.t.row(i) = problem.weight[i] * t;
    sites.c[i] = problem.weight[i] * (value - t.dot(m) + means.w.dot(m.cwiseAbs2() + S2) / 2);
  }
  return sites;
}

double elbo(const ClassProblem& problem, const std::vector<Posterior>& q) {
  const ClassMarginals f = marginals(problem, q, problem.X);
  double sum = -kl(problem, q);
  for (Index i = 0; i < problem.n(); ++i)
    sum += problem.weight[i] *
           (f.m(i, static_cast<Index>(problem.y[i])) - softmax_means(f.m.row(i), f.S2.row(i)).log_sum);
  return sum;
}

Estimate log_evidence(const ClassProblem& problem, const ClassSites& sites, int samples, unsigned seed) {
  const Index n = problem.n(), C = problem.classes();
  ClassProblem dense = problem;
  dense.Z = problem.X;
  const std::vector<Posterior> q = posteriors(dense, sites);
  const double log_normaliser = collapsed_bound(dense, sites);
  std::vector<Matrix> root;
  for (const Posterior& each : q) root.push_back(each.Sigma.llt().matrixL());
  std::mt19937_64 generator(seed);
  std::normal_distribution<double> normal;
  Matrix f(C, n);
  Vector z(n);
  double sum = 0, squares = 0;
  for (int k = 0; k < samples; ++k) {
    for (Index c = 0; c < C; ++c) {
      for (double& each : z) each = normal(generator);
      f.row(c) = ((q[c].mu + root[c] * z).array() + problem.mean[c]).transpose();
    }
    double log_weight = log_normaliser;
    for (Index i = 0; i < n; ++i) {
      const Vector own = f.col(i);
      log_weight += problem.weight[i] * (own[static_cast<Index>(problem.y[i])] - log_sum_exp(own)) -
                    sites.c[i] - sites.t.row(i).dot(own) + sites.w.row(i).dot(own.cwiseAbs2()) / 2;
    }
    const double weight = std::exp(log_weight);
    sum += weight;
    squares += weight * weight;
  }
  const double mean = sum / samples, variance = squares / samples - mean * mean;
  return {std::log(mean), std::sqrt(variance / samples) / mean};
}

}  // namespace induce::naive
