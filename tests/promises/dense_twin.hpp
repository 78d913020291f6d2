// A second reference implementation of the model, as simple as possible: in function space, with n x n matrices, in
// long double, with plain loops. It shares nothing with the library or with the other twin (support/naive.hpp),
// which works with q(u) and explicit inverses.
//
// With u at m inputs the prior of g = f - mean at the rows is N(0, Q), Q = K_nm K_mm^-1 K_mn, and each row
// keeps a residual k_ii - Q_ii. At sites exp(c' + t'g - w g^2/2) (which absorb the mean) the posterior of
// g is Gaussian,
//   S = I + W^1/2 Q W^1/2,   A = W^1/2 S^-1 W^1/2,   cov g = Q - Q A Q,   E g = Q beta,   beta = t' - A Q t',
// and the bound at fixed sites
//   F = sum c' + t'Q beta/2 - log |S|/2 - sum w_i (k_ii - Q_ii)/2.
// Any variable with covariance k_* = K_*m K_mm^-1 K_mn to g (u itself: K_mn) has mean k_*' beta, and its variance
// is reduced by k_*'A k_*.
#pragma once

#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

namespace induce::testing {

using Real = long double;
using Reals = std::vector<Real>;

struct Dense {
  std::size_t rows = 0, cols = 0;
  Reals values = Reals(rows * cols);

  Real& operator()(std::size_t i, std::size_t j) { return values[i * cols + j]; }
  Real operator()(std::size_t i, std::size_t j) const { return values[i * cols + j]; }
};

inline Dense dense(std::size_t rows, std::size_t cols) { return {rows, cols, Reals(rows * cols)}; }

inline Dense cholesky_of(const Dense& A) {
  Dense L = dense(A.rows, A.rows);
  for (std::size_t j = 0; j < A.rows; ++j) {
    for (std::size_t i = j; i < A.rows; ++i) {
      Real sum = A(i, j);
      for (std::size_t k = 0; k < j; ++k) sum -= L(i, k) * L(j, k);
      if (i == j && !(sum > 0)) throw std::runtime_error("twin: a matrix is not positive definite");
      L(i, j) = i == j ? std::sqrt(sum) : sum / L(j, j);
    }
  }
  return L;
}

inline Reals solve_lower(const Dense& L, Reals b) {
  for (std::size_t i = 0; i < b.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) b[i] -= L(i, k) * b[k];
    b[i] /= L(i, i);
  }
  return b;
}

inline Reals solve_upper(const Dense& L, Reals b) {  // with L'
  for (std::size_t i = b.size(); i-- > 0;) {
    for (std::size_t k = i + 1; k < b.size(); ++k) b[i] -= L(k, i) * b[k];
    b[i] /= L(i, i);
  }
  return b;
}

inline Real dot(const Reals& a, const Reals& b) {
  Real sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

inline Real twin_correlation(const std::string& kernel, Real r) {
  if (kernel == "se") return std::exp(-r * r / 2);
  const Real nu = kernel == "matern12"   ? 0.5L
                  : kernel == "matern32" ? 1.5L
                  : kernel == "matern52" ? 2.5L
                                         : std::stold(kernel.substr(7));
  const Real z = std::sqrt(2 * nu) * r;
  if (nu == 0.5L) return std::exp(-z);
  if (nu == 1.5L) return (1 + z) * std::exp(-z);
  if (nu == 2.5L) return (1 + z + z * z / 3) * std::exp(-z);
  if (z == 0) return 1;
  if (z > 700) return 0;
  return std::pow(2.0L, 1 - nu) / std::tgamma(nu) * std::pow(z, nu) * std::cyl_bessel_k(nu, z);
}

struct TwinPrior {
  std::string kernel;
  Real signal_std = 1, noise_std = 0, mean = 0, jitter = 0;  // jitter relative to signal_std^2
  Reals lengthscales;                                        // d
  Dense Z;                                                   // m x d

  Real k_ii() const { return signal_std * signal_std + noise_std * noise_std; }

  Reals with_inputs(const Real* x) const {  // k(x, Z)
    Reals k(Z.rows);
    for (std::size_t j = 0; j < Z.rows; ++j) {
      Real r2 = 0;
      for (std::size_t f = 0; f < Z.cols; ++f) {
        const Real step = (x[f] - Z(j, f)) / lengthscales[f];
        r2 += step * step;
      }
      k[j] = signal_std * signal_std * twin_correlation(kernel, std::sqrt(r2));
    }
    return k;
  }

  Dense cholesky_of_K_mm() const {
    Dense K = dense(Z.rows, Z.rows);
    for (std::size_t i = 0; i < Z.rows; ++i) {
      const Reals k = with_inputs(&Z.values[i * Z.cols]);
      for (std::size_t j = 0; j < Z.rows; ++j) K(i, j) = k[j];
      K(i, i) += noise_std * noise_std + jitter * signal_std * signal_std;
    }
    return cholesky_of(K);
  }

  // Upper bound on the condition number of K_mm.
  Real condition() const {
    const Real floor = noise_std * noise_std + jitter * signal_std * signal_std;
    return 1 + static_cast<Real>(Z.rows) * signal_std * signal_std / floor;
  }
};

struct TwinSites {
  Reals w, t, c;
};

class TwinPosterior {
 public:
  TwinPosterior(const TwinPrior& prior, const Dense& X, const TwinSites& sites)
      : prior_(prior), L_(prior.cholesky_of_K_mm()), n_(X.rows) {
    for (std::size_t i = 0; i < n_; ++i) {
      k_.push_back(prior.with_inputs(&X.values[i * X.cols]));
      v_.push_back(solve_lower(L_, k_[i]));
      root_.push_back(std::sqrt(sites.w[i]));
    }
    Q_ = dense(n_, n_);
    Dense S = dense(n_, n_);
    for (std::size_t i = 0; i < n_; ++i)
      for (std::size_t j = 0; j < n_; ++j) {
        Q_(i, j) = dot(v_[i], v_[j]);
        S(i, j) = root_[i] * Q_(i, j) * root_[j] + (i == j);
      }
    L_S_ = cholesky_of(S);

    Reals shifted(n_);  // t'
    bound = 0;
    for (std::size_t i = 0; i < n_; ++i) {
      const Real mu0 = prior.mean, w = sites.w[i];
      shifted[i] = sites.t[i] - w * mu0;
      bound += sites.c[i] + sites.t[i] * mu0 - w * mu0 * mu0 / 2;
      bound -= std::log(L_S_(i, i)) + w * (prior.k_ii() - Q_(i, i)) / 2;
    }
    const Reals Qt = times_Q(shifted), AQt = times_A(Qt);
    beta_ = shifted;
    for (std::size_t i = 0; i < n_; ++i) beta_[i] -= AQt[i];
    bound += dot(Qt, beta_) / 2;
  }

  // The marginal of f at x.
  void marginal(const Real* x, Real& mean, Real& variance) const {
    const Reals v = solve_lower(L_, prior_.with_inputs(x));
    Reals k(n_);
    for (std::size_t i = 0; i < n_; ++i) k[i] = dot(v, v_[i]);
    mean = prior_.mean + dot(k, beta_);
    variance = prior_.k_ii() - dot(k, times_A(k));
  }

  Real u_mean(std::size_t j) const { return dot(with_u(j), beta_); }
  Real u_covariance(std::size_t j, std::size_t l) const {
    Real K = 0;
    for (std::size_t k = 0; k <= std::min(j, l); ++k) K += L_(j, k) * L_(l, k);
    return K - dot(with_u(j), times_A(with_u(l)));
  }

  Real bound = 0;

 private:
  Reals with_u(std::size_t j) const {
    Reals column(n_);
    for (std::size_t i = 0; i < n_; ++i) column[i] = k_[i][j];
    return column;
  }
  Reals times_Q(const Reals& b) const {
    Reals out(n_);
    for (std::size_t i = 0; i < n_; ++i)
      for (std::size_t j = 0; j < n_; ++j) out[i] += Q_(i, j) * b[j];
    return out;
  }
  Reals times_A(Reals b) const {
    for (std::size_t i = 0; i < n_; ++i) b[i] *= root_[i];
    b = solve_upper(L_S_, solve_lower(L_S_, b));
    for (std::size_t i = 0; i < n_; ++i) b[i] *= root_[i];
    return b;
  }

  TwinPrior prior_;
  Dense L_;
  std::size_t n_;
  std::vector<Reals> k_, v_;
  Reals root_;
  Dense Q_, L_S_;
  Reals beta_;
};

}  // namespace induce::testing
