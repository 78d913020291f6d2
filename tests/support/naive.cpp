#include "support/naive.hpp"

#include <Eigen/Dense>
#include <stdexcept>

namespace induce::naive {

double correlation(const std::string& kernel, double r) {
  if (kernel == "se") return std::exp(-r * r / 2);
  if (kernel == "matern12") return std::exp(-r);
  if (kernel == "matern32") return (1 + std::sqrt(3.0) * r) * std::exp(-std::sqrt(3.0) * r);
  if (kernel == "matern52") return (1 + std::sqrt(5.0) * r + 5 * r * r / 3) * std::exp(-std::sqrt(5.0) * r);
  if (kernel.starts_with("matern:")) {
    const double nu = std::stod(kernel.substr(7));
    const double z = std::sqrt(2 * nu) * r;
    if (z == 0) return 1;
    return std::pow(2.0, 1 - nu) / std::tgamma(nu) * std::pow(z, nu) * std::cyl_bessel_k(nu, z);
  }
  throw std::invalid_argument("naive: unknown kernel " + kernel);
}

namespace {

Matrix cross(const Problem& problem, const Matrix& A, const Matrix& B) {
  Matrix K(A.rows(), B.rows());
  for (Index i = 0; i < A.rows(); ++i) {
    for (Index j = 0; j < B.rows(); ++j) K(i, j) = problem.k(A.row(i).transpose(), B.row(j).transpose());
  }
  return K;
}

}  // namespace

double Problem::k(const Vector& x, const Vector& z) const {
  double r2 = 0;
  for (Index j = 0; j < x.size(); ++j) {
    const double l = lengthscales.size() == 1 ? lengthscales(0) : lengthscales(j);
    r2 += std::pow((x(j) - z(j)) / l, 2);
  }
  return signal_std * signal_std * correlation(kernel, std::sqrt(r2));
}

Matrix Problem::K_mm() const {
  Matrix K = cross(*this, Z, Z);
  K.diagonal().array() += noise_std * noise_std;
  return K;
}

Matrix Problem::K_nm(const RowMatrix& rows) const { return cross(*this, rows, Z); }

Vector Problem::k_diag(const RowMatrix& rows) const {
  return Vector::Constant(rows.rows(), signal_std * signal_std + noise_std * noise_std);
}

Matrix Problem::K_nn() const {
  Matrix K = cross(*this, X, X);
  K.diagonal() = k_diag();
  return K;
}

namespace {

// phi(-u) / Phi(-u) = u + 1/(u + 2/(u + 3/...)) for u > 5: the fraction below the first 1.
double fraction(double u) {
  double below = u;
  for (int j = 200; j > 1; --j) below = u + j / below;
  return below;
}

// l' and l'' = -l' (l' + t) of l = log Phi; on the left by the fraction, where l' + t would cancel.
double normal_dl(double t) {
  if (t < -5) return -t + 1 / fraction(-t);
  return std::exp(-t * t / 2) / std::sqrt(2 * std::numbers::pi) / normal_cdf(t);
}

double normal_ddl(double t) { return -normal_dl(t) * (t < -5 ? 1 / fraction(-t) : normal_dl(t) + t); }

const Likelihood logistic{sigmoid, log_sigmoid, [](double t) { return sigmoid(-t); },
                          [](double t) { return -sigmoid(t) * sigmoid(-t); }};
const Likelihood probit{normal_cdf, log_normal_cdf, normal_dl, normal_ddl};

}  // namespace

double normal_cdf(double t) { return std::erfc(-t / std::numbers::sqrt2) / 2; }

double log_normal_cdf(double t) {
  if (t < -5) return -t * t / 2 - std::log(2 * std::numbers::pi) / 2 - std::log(normal_dl(t));
  return t < 0 ? std::log(normal_cdf(t)) : std::log1p(-normal_cdf(-t));
}

const Likelihood& likelihood_named(const std::string& name) {
  if (name == "logistic") return logistic;
  if (name == "probit") return probit;
  throw std::invalid_argument("naive: unknown likelihood " + name);
}

double predictive_probability(double mean, double var, const std::string& likelihood) {
  return gaussian_expectation(likelihood_named(likelihood).P, mean, var);
}

double lambda(double xi) {
  return std::abs(xi) < 1e-3 ? 1.0 / 8 - xi * xi / 96 + std::pow(xi, 4) / 960 : std::tanh(xi / 2) / (4 * xi);
}

Sites jj_sites(const Vector& y, const Vector& xi) {
  Sites s{Vector(y.size()), Vector(y.size()), Vector(y.size())};
  for (Index i = 0; i < y.size(); ++i) {
    s.w(i) = 2 * lambda(xi(i));
    s.t(i) = y(i) / 2;
    s.c(i) = log_sigmoid(xi(i)) - xi(i) / 2 + lambda(xi(i)) * xi(i) * xi(i);
  }
  return s;
}

Sites taylor_sites(const Vector& y, const Vector& xi, const std::string& likelihood) {
  const Likelihood& p = likelihood_named(likelihood);
  Sites s{Vector(y.size()), Vector(y.size()), Vector(y.size())};
  for (Index i = 0; i < y.size(); ++i) {
    const double phi = y(i) * p.dl(y(i) * xi(i));
    const double psi = -p.ddl(y(i) * xi(i)) / 2;
    s.w(i) = 2 * psi;
    s.t(i) = phi + 2 * psi * xi(i);
    s.c(i) = p.l(y(i) * xi(i)) - phi * xi(i) - psi * xi(i) * xi(i);
  }
  return s;
}

Sites newton_sites(const Vector& y, const Vector& m, const Vector& S2, const std::string& likelihood) {
  const Likelihood& p = likelihood_named(likelihood);
  Sites s{Vector(y.size()), Vector(y.size()), Vector(y.size())};
  for (Index i = 0; i < y.size(); ++i) {
    const double yi = y(i);
    const double E_l = gaussian_expectation([&](double f) { return p.l(yi * f); }, m(i), S2(i));
    const double E_dl = gaussian_expectation([&](double f) { return yi * p.dl(yi * f); }, m(i), S2(i));
    const double E_ddl = gaussian_expectation([&](double f) { return p.ddl(yi * f); }, m(i), S2(i));
    s.w(i) = -E_ddl;
    s.t(i) = E_dl + s.w(i) * m(i);
    s.c(i) = E_l - s.t(i) * m(i) + s.w(i) * (m(i) * m(i) + S2(i)) / 2;
  }
  return s;
}

Sites sites_in_g(const Sites& s, double mu0) {
  return {s.w, s.t - mu0 * s.w, s.c + mu0 * s.t - mu0 * mu0 / 2 * s.w};
}

double log_det(const Matrix& A) {
  const Eigen::LLT<Matrix> llt(A);
  if (llt.info() != Eigen::Success) throw std::runtime_error("naive: a matrix is not positive definite");
  const Matrix L = llt.matrixL();
  return 2 * L.diagonal().array().log().sum();
}

double collapsed_bound(const Problem& problem, const Sites& sites) {
  const Sites s = sites_in_g(sites, problem.mean);
  const Matrix K_mm = problem.K_mm(), K_nm = problem.K_nm();           // m x m, n x m
  const Matrix B = K_mm + K_nm.transpose() * s.w.asDiagonal() * K_nm;  // m x m
  const Matrix Q_nn = K_nm * K_mm.inverse() * K_nm.transpose();        // n x n
  const Vector ktilde = problem.k_diag() - Q_nn.diagonal();            // n
  const Vector b = K_nm.transpose() * s.t;                             // m
  return s.c.sum() + b.dot(B.inverse() * b) / 2 + log_det(K_mm) / 2 - log_det(B) / 2 - s.w.dot(ktilde) / 2;
}

Posterior posterior(const Problem& problem, const Sites& sites) {
  const Sites s = sites_in_g(sites, problem.mean);
  const Matrix K_mm_inv = problem.K_mm().inverse(), K_nm = problem.K_nm();
  const Matrix A = K_mm_inv * K_nm.transpose();                                      // m x n
  const Matrix Sigma = (A * s.w.asDiagonal() * A.transpose() + K_mm_inv).inverse();  // m x m
  return {Sigma * (A * s.t), Sigma};
}

Marginals marginals(const Problem& problem, const Vector& mu, const Matrix& Sigma, const RowMatrix& rows) {
  const Matrix K_mm = problem.K_mm();
  const Matrix A = problem.K_nm(rows) * K_mm.inverse();      // n x m
  const Matrix change = A * (Sigma - K_mm) * A.transpose();  // n x n
  return {(A * mu).array() + problem.mean, problem.k_diag(rows) + change.diagonal()};
}

Marginals marginals(const Problem& problem, const Vector& mu, const Matrix& Sigma) {
  return marginals(problem, mu, Sigma, problem.X);
}

double kl(const Vector& mu, const Matrix& Sigma, const Matrix& K_mm) {
  const Matrix K_mm_inv = K_mm.inverse();
  return (log_det(K_mm) - log_det(Sigma) - static_cast<double>(mu.size()) + (K_mm_inv * Sigma).trace() +
          mu.dot(K_mm_inv * mu)) /
         2;
}

double uncollapsed_bound(const Problem& problem, const Sites& sites, const Vector& mu, const Matrix& Sigma) {
  const auto [m, S2] = marginals(problem, mu, Sigma);
  double sum = 0;
  for (Index i = 0; i < m.size(); ++i) {
    sum += sites.c(i) + sites.t(i) * m(i) - sites.w(i) * (m(i) * m(i) + S2(i)) / 2;
  }
  return sum - kl(mu, Sigma, problem.K_mm());
}

double elbo(const Problem& problem, const Vector& mu, const Matrix& Sigma) {
  const auto [m, S2] = marginals(problem, mu, Sigma);
  const Likelihood& p = likelihood_named(problem.likelihood);
  double sum = 0;
  for (Index i = 0; i < m.size(); ++i) {
    const double yi = problem.y(i);
    sum += gaussian_expectation([&](double f) { return p.l(yi * f); }, m(i), S2(i));
  }
  return sum - kl(mu, Sigma, problem.K_mm());
}

Sites refresh_sites(const std::string& rule, const Vector& y, const Marginals& q,
                    const std::string& likelihood) {
  if (rule == "jj" && likelihood == "logistic") {
    return jj_sites(y, (q.m.array().square() + q.S2.array()).sqrt());
  }
  if (rule == "taylor") return taylor_sites(y, q.m, likelihood);
  if (rule == "newton") return newton_sites(y, q.m, q.S2, likelihood);
  throw std::invalid_argument("naive: no site rule " + rule + " for the likelihood " + likelihood);
}

StageOne stage_one(const Problem& problem, const std::string& rule, int rounds) {
  const Index m = problem.Z.rows();
  StageOne state{{}, {Vector::Zero(m), Matrix::Identity(m, m)}};
  for (int round = 0; round < rounds; ++round) {
    state.sites =
        refresh_sites(rule, problem.y, marginals(problem, state.q.mu, state.q.Sigma), problem.likelihood);
    state.q = posterior(problem, state.sites);
  }
  return state;
}

}  // namespace induce::naive
