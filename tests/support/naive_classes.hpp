// The slow textbook twin for C >= 3 classes with the softmax likelihood: kernel, Newton sites, q(u), marginals, bounds and
// the evidence. Unwhitened, with explicit inverses and n x m matrices; integrals by a tensor trapezoid rule in all C latent
// functions at once. It shares only the matrix types with the library.
//
// Model:  f_c = mean_c + scale_c g_c,  g_c ~ GP(0, k) independent,  u_c = scale_c g_c(Z),  p(y = c | f) = softmax_c(f),
//         q(u) = prod_c N(mu_c, Sigma_c).
// Site:   s_i(f) = c_i + sum_c (t_ic f_c - w_ic f_c^2 / 2), the row's weight included.
#pragma once

#include <string>
#include <vector>

#include "support/naive.hpp"

namespace induce::naive {

struct ClassProblem {
  RowMatrix X;    // n x d
  Vector y;       // n, each 0 .. C-1
  Vector weight;  // n
  Matrix Z;       // m x d
  std::string shape = "se";
  double signal_std = 1;
  Vector lengthscales;   // d
  double noise_std = 0;  // on K_mm's diagonal and in k_ii only
  Vector mean, scale;    // C each

  Index n() const { return X.rows(); }
  Index classes() const { return mean.size(); }
  double k(const Vector& x, const Vector& z) const;  // of g, without noise
  double k_ii() const;
  Matrix K_mm() const;
  Matrix K_nm(const RowMatrix& rows) const;
};

struct ClassSites {
  Matrix w, t;  // n x C
  Vector c;     // n
};

struct ClassMarginals {
  Matrix m, S2;  // n x C, of f
};

// q(u) that maximises the bound at fixed sites, one for each class.
std::vector<Posterior> posteriors(const ClassProblem& problem, const ClassSites& sites);
ClassMarginals marginals(const ClassProblem& problem, const std::vector<Posterior>& q, const RowMatrix& rows);

// sum_c KL(q(u_c) || p(u_c)).
double kl(const ClassProblem& problem, const std::vector<Posterior>& q);
// sum_i E_q s_i - KL, for any q.
double bound(const ClassProblem& problem, const ClassSites& sites, const std::vector<Posterior>& q);
// Its maximum over q.
double collapsed_bound(const ClassProblem& problem, const ClassSites& sites);

// E log sum_c exp f_c, E p_c and E p_c (1 - p_c) under f_c ~ N(m_c, S2_c). The integrand is analytic in a strip of half-width
// pi / S_c around the real axis of each variable z_c = (f_c - m_c) / S_c, where sum exp f has no zero: a step of 0.7 / S_c
// leaves e^-28.
struct SoftmaxMeans {
  double log_sum = 0;
  Vector p, w;  // C
};
SoftmaxMeans softmax_means(const Vector& m, const Vector& S2);

ClassSites newton_sites(const ClassProblem& problem, const ClassMarginals& q);

// sum_i weight_i E log p(y_i | f_i) - KL.
double elbo(const ClassProblem& problem, const std::vector<Posterior>& q);

// A mean of random numbers and its standard error.
struct Estimate {
  double value = 0, error = 0;
};

// log p(y), Z playing no part, by importance sampling: f ~ p(f) exp(sum s_i(f)) / N, whose normaliser N is the collapsed bound
// with Z = X, and weights N exp(sum (log p(y_i | f_i) - s_i(f_i))). Noise must be 0. Any sites give the same expectation; sites
// of zero draw from the prior.
Estimate log_evidence(const ClassProblem& problem, const ClassSites& sites, int samples, unsigned seed);

}  // namespace induce::naive
