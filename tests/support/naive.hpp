// The slow textbook twin of the library: an oracle for the kernels, the three site rules, the collapsed bound
// and its gradient, the posterior q(u), the marginals of f, the ELBO and the predictive probability.
//
// It is a transcription of the paper (Izmailov and Kropotov) in unwhitened form, with the errata E1 to E9 of
// docs/math.md and no optimisations: explicit inverses, n x m and n x n matrices, and 1-D integrals by a fine
// trapezoid rule. Meant for n <= 60. It shares only the matrix types with the library.
//
// Model:  f = mean + g,  g ~ GP(0, k),  u = g(Z),  p(y_i | f_i) = P(y_i f_i),  q(u) = N(mu, Sigma),
//         where P is sigma (logistic) or Phi (probit).
// Site:   s_i(f) = c_i + t_i f - w_i f^2 / 2  approximates log p(y_i | f_i), always as a function of f, not g.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "linalg/types.hpp"

namespace induce::naive {

// ---------------------------------------------------------------------------------------------- kernel

// rho(r), the correlation at scaled distance r; Matern as in erratum E9.
double correlation(const std::string& kernel, double r);

struct Problem {
  RowMatrix X;  // n x d
  Vector y;     // n, each -1 or +1
  Matrix Z;     // m x d
  std::string kernel = "se";
  double signal_std = 1;                  // sf
  Vector lengthscales = Vector::Ones(1);  // one for all features, or one per feature
  double noise_std = 0;                   // sn: on K_mm's diagonal and in k_ii only (erratum E7)
  double mean = 0;                        // mu0
  std::string likelihood = "logistic";    // or "probit"

  double k(const Vector& x, const Vector& z) const;
  Matrix K_mm() const;
  Matrix K_nm() const { return K_nm(X); }
  Matrix K_nm(const RowMatrix& rows) const;
  Vector k_diag() const { return k_diag(X); }
  Vector k_diag(const RowMatrix& rows) const;
  Matrix K_nn() const;
};

// ---------------------------------------------------------------------------------------------- likelihood

inline double sigmoid(double t) { return t >= 0 ? 1 / (1 + std::exp(-t)) : std::exp(t) / (1 + std::exp(t)); }

inline double log_sigmoid(double t) {
  return t >= 0 ? -std::log1p(std::exp(-t)) : t - std::log1p(std::exp(t));
}

// Phi, the normal distribution function, and its logarithm.
double normal_cdf(double t);
double log_normal_cdf(double t);

// p(y | f) = P(y f). P, l = log P, l' and l'' as functions of t = y f.
struct Likelihood {
  double (*P)(double);
  double (*l)(double);
  double (*dl)(double);
  double (*ddl)(double);
};

// "logistic" or "probit".
const Likelihood& likelihood_named(const std::string& name);

// E h(f) for f ~ N(m, S2) by the trapezoid rule over 12 standard deviations. The rule converges like
// exp(-2 pi a / step) for a function analytic in a strip of half-width a; sigma(f) has its nearest poles at
// +-i pi, which is a = pi / S in standard units, so step = 1 / (4 S) leaves far less than rounding. log Phi
// is singular at the zeros of Phi, the nearest of them 1.92 +- 2.82 i: a = 2.8 / S leaves e^-70.
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

// p(y = +1) = E P(f) for f ~ N(mean, var).
double predictive_probability(double mean, double var, const std::string& likelihood = "logistic");

// ---------------------------------------------------------------------------------------------- sites

struct Sites {
  Vector w, t, c;  // n each
};

// lambda(xi) = tanh(xi / 2) / (4 xi), erratum E1.
double lambda(double xi);

// Jaakkola-Jordan: log sigma(xi) + (y f - xi)/2 - lambda(xi) (f^2 - xi^2), a lower bound of log sigma(y f).
// There is none for the probit.
Sites jj_sites(const Vector& y, const Vector& xi);

// Taylor (16): log P(y xi) + phi (f - xi) - psi (f - xi)^2, with the 1/2 inside psi (erratum E2).
Sites taylor_sites(const Vector& y, const Vector& xi, const std::string& likelihood = "logistic");

// Newton: with l(f) = log P(y f), the quadratic that, together with its first two derivatives, has the expectations
// E l, E l' and E l'' under N(m, S2).
Sites newton_sites(const Vector& y, const Vector& m, const Vector& S2,
                   const std::string& likelihood = "logistic");

// The same sites as functions of g = f - mu0: c + t (mu0 + g) - w (mu0 + g)^2 / 2, collected in powers of g.
Sites sites_in_g(const Sites& s, double mu0);

// ---------------------------------------------------------------------------------------------- bounds

double log_det(const Matrix& A);

// The collapsed bound at fixed sites, (14) and (19) with every term (erratum E8):
// sum c + t' K_nm B^-1 K_mn t / 2 + log|K_mm| / 2 - log|B| / 2 - sum w_i ktilde_ii / 2.
double collapsed_bound(const Problem& problem, const Sites& sites);

struct Posterior {
  Vector mu;     // m
  Matrix Sigma;  // m x m
};

// q(u) of u = g(Z) that maximises the bound at fixed sites: (12), (13), (17), (18).
Posterior posterior(const Problem& problem, const Sites& sites);

struct Marginals {
  Vector m, S2;  // mean (mu0 included) and variance of each q(f_i)
};

// q(f_i) = N(m_i, S2_i) at the given rows, (10).
Marginals marginals(const Problem& problem, const Vector& mu, const Matrix& Sigma, const RowMatrix& rows);

Marginals marginals(const Problem& problem, const Vector& mu, const Matrix& Sigma);

// KL(N(mu, Sigma) || N(0, K_mm)).
double kl(const Vector& mu, const Matrix& Sigma, const Matrix& K_mm);

// J(mu, Sigma) = sum E_q s_i(f_i) - KL, for any q(u); its maximum over q(u) is collapsed_bound.
double uncollapsed_bound(const Problem& problem, const Sites& sites, const Vector& mu, const Matrix& Sigma);

// The evidence lower bound (11): sum E_q log P(y_i f_i) - KL.
double elbo(const Problem& problem, const Vector& mu, const Matrix& Sigma);

// ------------------------------------------------------------------------------------- stage 1 of Alg. 1

// The sites that a rule ("jj", "taylor" or "newton") derives from the marginals of q.
Sites refresh_sites(const std::string& rule, const Vector& y, const Marginals& q,
                    const std::string& likelihood = "logistic");

struct StageOne {
  Sites sites;  // of the last round
  Posterior q;  // optimal for these sites
};

// From mu = 0, Sigma = I, each round refreshes the sites and then q(u) (erratum E4).
StageOne stage_one(const Problem& problem, const std::string& rule, int rounds);

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
