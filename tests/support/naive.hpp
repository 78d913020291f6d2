// The slow textbook twin of the library: an oracle for the kernels, the three site rules, the collapsed bound
// and its gradient, the posterior q(u), the marginals of f, the ELBO and the predictive probability.
//
// It is a transcription of the paper (Izmailov and Kropotov) in unwhitened form, with the errata E1 to E9 of
// docs/math.md and nothing clever: explicit inverses, n x m and n x n matrices, and 1-D integrals by a fine
// trapezoid rule. Meant for n <= 60. It shares only the matrix types with the library.
//
// Model:  f = mean + g,  g ~ GP(0, k),  u = g(Z),  p(y_i | f_i) = sigma(y_i f_i),  q(u) = N(mu, Sigma).
// Site:   s_i(f) = c_i + t_i f - w_i f^2 / 2  stands for log p(y_i | f_i), always as a function of f, not of
// g.
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <string>

#include "linalg/types.hpp"

namespace induce::naive {

// ---------------------------------------------------------------------------------------------- kernel

// rho(r), the correlation at scaled distance r; the Matern form is that of erratum E9.
inline double correlation(const std::string& kernel, double r) {
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

struct Problem {
  RowMatrix X;  // n x d
  Vector y;     // n, each -1 or +1
  Matrix Z;     // m x d
  std::string kernel = "se";
  double signal_std = 1;                  // sf
  Vector lengthscales = Vector::Ones(1);  // one for all features, or one per feature
  double noise_std = 0;                   // sn: on K_mm's diagonal and in k_ii only (erratum E7)
  double mean = 0;                        // mu0

  double k(const Vector& x, const Vector& z) const {
    double r2 = 0;
    for (Index j = 0; j < x.size(); ++j) {
      const double l = lengthscales.size() == 1 ? lengthscales(0) : lengthscales(j);
      r2 += std::pow((x(j) - z(j)) / l, 2);
    }
    return signal_std * signal_std * correlation(kernel, std::sqrt(r2));
  }
  Matrix K_mm() const {
    Matrix K = cross(Z, Z);
    K.diagonal().array() += noise_std * noise_std;
    return K;
  }
  Matrix K_nm() const { return K_nm(X); }
  Matrix K_nm(const RowMatrix& rows) const { return cross(rows, Z); }
  Vector k_diag() const { return k_diag(X); }
  Vector k_diag(const RowMatrix& rows) const {
    return Vector::Constant(rows.rows(), signal_std * signal_std + noise_std * noise_std);
  }
  Matrix K_nn() const {
    Matrix K = cross(X, X);
    K.diagonal() = k_diag();
    return K;
  }

 private:
  Matrix cross(const Matrix& A, const Matrix& B) const {
    Matrix K(A.rows(), B.rows());
    for (Index i = 0; i < A.rows(); ++i) {
      for (Index j = 0; j < B.rows(); ++j) K(i, j) = k(A.row(i).transpose(), B.row(j).transpose());
    }
    return K;
  }
};

// ---------------------------------------------------------------------------------------------- likelihood

inline double sigmoid(double t) { return t >= 0 ? 1 / (1 + std::exp(-t)) : std::exp(t) / (1 + std::exp(t)); }

inline double log_sigmoid(double t) {
  return t >= 0 ? -std::log1p(std::exp(-t)) : t - std::log1p(std::exp(t));
}

// E h(f) for f ~ N(m, S2) by the trapezoid rule over 12 standard deviations. The rule converges like
// exp(-2 pi a / step) for a function analytic in a strip of half-width a; sigma(f) has its nearest poles at
// +-i pi, which is a = pi / S in standard units, so step = 1 / (4 S) leaves far less than rounding.
template <class Function>
double gaussian_expectation(Function&& h, double m, double S2) {
  const double S = std::sqrt(S2), half_width = 12;
  const int half = static_cast<int>(std::ceil(half_width / std::min(0.25, 0.25 / std::max(S, 1e-300))));
  const double step = half_width / half;
  double sum = 0;
  for (int k = -half; k <= half; ++k) {
    const double z = k * step;
    sum += std::exp(-z * z / 2) * h(m + S * z);
  }
  return sum * step / std::sqrt(2 * std::numbers::pi);
}

// p(y = +1) = E sigma(f) for f ~ N(mean, var).
inline double predictive_probability(double mean, double var) {
  return gaussian_expectation(sigmoid, mean, var);
}

// ---------------------------------------------------------------------------------------------- sites

struct Sites {
  Vector w, t, c;  // n each
};

// lambda(xi) = tanh(xi / 2) / (4 xi), erratum E1.
inline double lambda(double xi) {
  return std::abs(xi) < 1e-3 ? 1.0 / 8 - xi * xi / 96 + std::pow(xi, 4) / 960 : std::tanh(xi / 2) / (4 * xi);
}

// Jaakkola-Jordan: log sigma(xi) + (y f - xi)/2 - lambda(xi) (f^2 - xi^2), a lower bound of log sigma(y f).
inline Sites jj_sites(const Vector& y, const Vector& xi) {
  Sites s{Vector(y.size()), Vector(y.size()), Vector(y.size())};
  for (Index i = 0; i < y.size(); ++i) {
    s.w(i) = 2 * lambda(xi(i));
    s.t(i) = y(i) / 2;
    s.c(i) = log_sigmoid(xi(i)) - xi(i) / 2 + lambda(xi(i)) * xi(i) * xi(i);
  }
  return s;
}

// Taylor (16): log sigma(y xi) + phi (f - xi) - psi (f - xi)^2, with the 1/2 inside psi (erratum E2).
inline Sites taylor_sites(const Vector& y, const Vector& xi) {
  Sites s{Vector(y.size()), Vector(y.size()), Vector(y.size())};
  for (Index i = 0; i < y.size(); ++i) {
    const double phi = y(i) * sigmoid(-y(i) * xi(i));
    const double psi = sigmoid(y(i) * xi(i)) * sigmoid(-y(i) * xi(i)) / 2;
    s.w(i) = 2 * psi;
    s.t(i) = phi + 2 * psi * xi(i);
    s.c(i) = log_sigmoid(y(i) * xi(i)) - phi * xi(i) - psi * xi(i) * xi(i);
  }
  return s;
}

// Newton: with l(f) = log sigma(y f), the quadratic whose expectation, and that of whose first two
// derivatives, under N(m, S2) are E l, E l' and E l''.
inline Sites newton_sites(const Vector& y, const Vector& m, const Vector& S2) {
  Sites s{Vector(y.size()), Vector(y.size()), Vector(y.size())};
  for (Index i = 0; i < y.size(); ++i) {
    const double yi = y(i);
    const double E_l = gaussian_expectation([yi](double f) { return log_sigmoid(yi * f); }, m(i), S2(i));
    const double E_dl = gaussian_expectation([yi](double f) { return yi * sigmoid(-yi * f); }, m(i), S2(i));
    const double E_ddl =
        gaussian_expectation([](double f) { return -sigmoid(f) * sigmoid(-f); }, m(i), S2(i));
    s.w(i) = -E_ddl;
    s.t(i) = E_dl + s.w(i) * m(i);
    s.c(i) = E_l - s.t(i) * m(i) + s.w(i) * (m(i) * m(i) + S2(i)) / 2;
  }
  return s;
}

// The same sites as functions of g = f - mu0: c + t (mu0 + g) - w (mu0 + g)^2 / 2, collected in powers of g.
inline Sites sites_in_g(const Sites& s, double mu0) {
  return {s.w, s.t - mu0 * s.w, s.c + mu0 * s.t - mu0 * mu0 / 2 * s.w};
}

// ---------------------------------------------------------------------------------------------- bounds

inline double log_det(const Matrix& A) {
  const Eigen::LLT<Matrix> llt(A);
  if (llt.info() != Eigen::Success) throw std::runtime_error("naive: a matrix is not positive definite");
  const Matrix L = llt.matrixL();
  return 2 * L.diagonal().array().log().sum();
}

// The collapsed bound at fixed sites, (14) and (19) with every term (erratum E8):
// sum c + t' K_nm B^-1 K_mn t / 2 + log|K_mm| / 2 - log|B| / 2 - sum w_i ktilde_ii / 2.
inline double collapsed_bound(const Problem& problem, const Sites& sites) {
  const Sites s = sites_in_g(sites, problem.mean);
  const Matrix K_mm = problem.K_mm(), K_nm = problem.K_nm();           // m x m, n x m
  const Matrix B = K_mm + K_nm.transpose() * s.w.asDiagonal() * K_nm;  // m x m
  const Matrix Q_nn = K_nm * K_mm.inverse() * K_nm.transpose();        // n x n
  const Vector ktilde = problem.k_diag() - Q_nn.diagonal();            // n
  const Vector b = K_nm.transpose() * s.t;                             // m
  return s.c.sum() + b.dot(B.inverse() * b) / 2 + log_det(K_mm) / 2 - log_det(B) / 2 - s.w.dot(ktilde) / 2;
}

struct Posterior {
  Vector mu;     // m
  Matrix Sigma;  // m x m
};

// q(u) of u = g(Z) that maximises the bound at fixed sites: (12), (13), (17), (18).
inline Posterior posterior(const Problem& problem, const Sites& sites) {
  const Sites s = sites_in_g(sites, problem.mean);
  const Matrix K_mm_inv = problem.K_mm().inverse(), K_nm = problem.K_nm();
  const Matrix A = K_mm_inv * K_nm.transpose();                                      // m x n
  const Matrix Sigma = (A * s.w.asDiagonal() * A.transpose() + K_mm_inv).inverse();  // m x m
  return {Sigma * (A * s.t), Sigma};
}

struct Marginals {
  Vector m, S2;  // mean (mu0 included) and variance of each q(f_i)
};

// q(f_i) = N(m_i, S2_i) at the given rows, (10).
inline Marginals marginals(const Problem& problem, const Vector& mu, const Matrix& Sigma,
                           const RowMatrix& rows) {
  const Matrix K_mm = problem.K_mm();
  const Matrix A = problem.K_nm(rows) * K_mm.inverse();      // n x m
  const Matrix change = A * (Sigma - K_mm) * A.transpose();  // n x n
  return {(A * mu).array() + problem.mean, problem.k_diag(rows) + change.diagonal()};
}

inline Marginals marginals(const Problem& problem, const Vector& mu, const Matrix& Sigma) {
  return marginals(problem, mu, Sigma, problem.X);
}

// KL(N(mu, Sigma) || N(0, K_mm)).
inline double kl(const Vector& mu, const Matrix& Sigma, const Matrix& K_mm) {
  const Matrix K_mm_inv = K_mm.inverse();
  return (log_det(K_mm) - log_det(Sigma) - static_cast<double>(mu.size()) + (K_mm_inv * Sigma).trace() +
          mu.dot(K_mm_inv * mu)) /
         2;
}

// J(mu, Sigma) = sum E_q s_i(f_i) - KL, for any q(u); its maximum over q(u) is collapsed_bound.
inline double uncollapsed_bound(const Problem& problem, const Sites& sites, const Vector& mu,
                                const Matrix& Sigma) {
  const auto [m, S2] = marginals(problem, mu, Sigma);
  double sum = 0;
  for (Index i = 0; i < m.size(); ++i) {
    sum += sites.c(i) + sites.t(i) * m(i) - sites.w(i) * (m(i) * m(i) + S2(i)) / 2;
  }
  return sum - kl(mu, Sigma, problem.K_mm());
}

// The evidence lower bound (11): sum E_q log sigma(y_i f_i) - KL.
inline double elbo(const Problem& problem, const Vector& mu, const Matrix& Sigma) {
  const auto [m, S2] = marginals(problem, mu, Sigma);
  double sum = 0;
  for (Index i = 0; i < m.size(); ++i) {
    const double yi = problem.y(i);
    sum += gaussian_expectation([yi](double f) { return log_sigmoid(yi * f); }, m(i), S2(i));
  }
  return sum - kl(mu, Sigma, problem.K_mm());
}

// ---------------------------------------------------------------------------------------------- stage 1 of
// Alg. 1

// The sites a rule ("jj", "taylor" or "newton") takes from the marginals of q.
inline Sites refresh_sites(const std::string& rule, const Vector& y, const Marginals& q) {
  if (rule == "jj") return jj_sites(y, (q.m.array().square() + q.S2.array()).sqrt());
  if (rule == "taylor") return taylor_sites(y, q.m);
  if (rule == "newton") return newton_sites(y, q.m, q.S2);
  throw std::invalid_argument("naive: unknown site rule " + rule);
}

struct StageOne {
  Sites sites;  // those of the last round
  Posterior q;  // optimal for these sites
};

// From mu = 0, Sigma = I, each round refreshes the sites and then q(u) (erratum E4).
inline StageOne stage_one(const Problem& problem, const std::string& rule, int rounds) {
  const Index m = problem.Z.rows();
  StageOne state{{}, {Vector::Zero(m), Matrix::Identity(m, m)}};
  for (int round = 0; round < rounds; ++round) {
    state.sites = refresh_sites(rule, problem.y, marginals(problem, state.q.mu, state.q.Sigma));
    state.q = posterior(problem, state.sites);
  }
  return state;
}

// ---------------------------------------------------------------------------------------------- differences

// f'(x) by the five-point stencil, error O(h^4).
template <class Function>
double central_difference(Function&& f, double x, double h = 1e-3) {
  return (f(x - 2 * h) - 8 * f(x - h) + 8 * f(x + h) - f(x + 2 * h)) / (12 * h);
}

// The gradient of a function of a vector, one coordinate at a time.
template <class Function>
Vector central_difference(Function&& f, const Vector& x, double h = 1e-3) {
  Vector gradient(x.size());
  for (Index j = 0; j < x.size(); ++j) {
    const auto along_j = [&](double x_j) {
      Vector moved = x;
      moved(j) = x_j;
      return f(moved);
    };
    gradient(j) = central_difference(along_j, x(j), h);
  }
  return gradient;
}

}  // namespace induce::naive
