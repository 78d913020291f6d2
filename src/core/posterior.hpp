// q(u) = N(mu, Sigma) in the whitened coordinates of a frame, u = L e:
//   a = L^-1 mu,   C = L^-1 Sigma L^-T,   D = I - C,   alpha = L^-T a,   P = L^-T D.
// A row's marginal is then
//   m_i = mean + v_i'a = mean + k_i'alpha,       S2_i = k_ii - v_i'D v_i = k_ii - k_i'(P v_i)      paper (10)
//
// At fixed sites the optimal q has a closed form. With Q = V diag(w) V', t' = t - w mean, b = V t',
//   B = I + Q = L_B L_B',   C = B^-1,   a = B^-1 b                            paper (12), (13), (17), (18)
// and the bound with q at its optimum is
//   F = sum (c + t mean - w mean^2/2) + b'a/2 - sum log diag L_B - (sum w_i k_ii - tr Q)/2   paper (14), (19)
// (the mean shifts each site: s(mean + g) = [c + t mean - w mean^2/2] + (t - w mean) g - w g^2/2).
//
// With terms (term/terms.hpp) a row is phi = [v; C'h], Q, b, a, C and D are those of phi, and sums over rows are kept for
// [v; h], which C multiplies afterwards. The blocks of D give a row
//   m_i  = mean + k_i'alpha + h_i'beta,                                  beta = C a_h
//   S2_i = k_ii - k_i'(P v_i) + 2 k_i'(Y h_i) + h_i'S h_i,               Y = -L^-T D_vh C',   S = C (I - D_hh) C'.
//
// If there are several latent functions f_c = mean_c + r_c g_c (r_c: the scale), q and the sites are products over c, and
// each has the formulas above for g_c:
//   w := r_c^2 w_c,   t' := r_c (t_c - w_c mean_c),   m_c = mean_c + r_c v'a_c,   S2_c = r_c^2 (k_ii - v'D_c v).
#pragma once

#include <span>
#include <vector>

#include "core/frame.hpp"
#include "machine/workers.hpp"
#include "rows/row_sum.hpp"

namespace induce::detail {

// Sums over rows from the first half of a pass, for each latent function c.
class Sums : public RowSum {
 public:
  void clear(Index m, Index functions = 1, const PlacedTerms* terms = nullptr) {
    m_ = m;
    values_ = terms ? terms->terms().values() : 0;
    tables_ = terms ? terms->terms().tables() : 0;
    numbers_.setZero(functions * size());
  }
  MatrixView Q(Index c = 0) {
    return {numbers_.data() + c * size(), m_, m_};
  }                                                                      // lower triangle: V diag(w) V'
  VectorView b(Index c = 0) { return {of(c) + m_ * m_, m_ + values_}; }  // of v and h: V t', H't'
  double& w(Index c = 0) { return of(c)[m_ * m_ + m_ + values_]; }       // sum w_i
  double& c(Index c = 0) { return of(c)[m_ * m_ + m_ + values_ + 1]; }  // sum (c_i + t_i mean - w_i mean^2/2)
  MatrixView VH(Index c = 0) { return {of(c) + m_ * m_ + m_ + values_ + 2, m_, values_}; }  // V diag(w) H
  double* HH(Index c = 0) { return VH(c).data() + m_ * values_; }  // tables of H'diag(w) H

 private:
  double* of(Index c) { return numbers_.data() + c * size(); }
  Index size() const {
    return m_ * m_ + m_ + values_ + 2 + m_ * values_ + tables_;
  }  // numbers of one function

  Index m_ = 0, values_ = 0, tables_ = 0;
};

// M = m + values of the terms.
struct Posterior {
  Vector a;         // M
  Matrix D;         // M x M, symmetric
  Vector alpha;     // m
  Matrix P;         // m x m
  Vector beta{};    // of the values
  Matrix Y{};       // m x values
  Vector tables{};  // S, as tables (term/terms.hpp)
};

struct Collapsed {
  Posterior q;
  Matrix Q;                   // m x m, both triangles: of v
  Vector b;                   // M
  Matrix L_B;                 // M x M: work space
  double F = 0;               // the bound, or the part of it that is due to this function
  double sparsity_price = 0;  // sum w_i (k_ii - v_i'v_i) / 2, a part of F
  bool ok = false;            // false: B could not be factorised or F is not finite
};

// Refers to the posteriors of all latent functions, wherever they are kept.
class Posteriors {
 public:
  Posteriors(const Posterior& only) : first_(&only), stride_(0) {}                                   // NOLINT
  Posteriors(const std::vector<Posterior>& all) : first_(all.data()), stride_(sizeof(Posterior)) {}  // NOLINT
  Posteriors(std::span<const Collapsed> all) : first_(&all[0].q), stride_(sizeof(Collapsed)) {}      // NOLINT

  const Posterior& operator[](Index c) const {
    return *reinterpret_cast<const Posterior*>(reinterpret_cast<const char*>(first_) + c * stride_);
  }

 private:
  const Posterior* first_;
  Index stride_;  // bytes
};

// Q, both triangles, and b of phi from the sums over [v; h], for latent function c.
void gather_sums(const Frame& frame, Sums& sums, Index c, Matrix& Q, Vector& b, Workers* workers = nullptr);

// For latent function c. Writes into `out`, whose matrices are reused from pass to pass. The algebra of terms runs on the
// workers, if there are some, and has the same bits without.
void collapse(const Frame& frame, Sums& sums, Collapsed& out, Index c = 0, Workers* workers = nullptr);
// For all latent functions.
void collapse(const Frame& frame, Sums& sums, std::vector<Collapsed>& out, Workers& workers);

// q given by its natural mean and covariance: mu, Sigma = R R'. Without terms.
Posterior posterior_from(const Frame& frame, const Vector& mu, const Matrix& R);

// q with u = 0 known exactly, C = 0: a row's marginal variance is then its residual k_ii - v_i'v_i.
Posterior certain_posterior(const Frame& frame);

// mu = L a, Sigma = L C L' of a posterior.
Vector natural_mean(const Frame& frame, const Posterior& q);
Matrix natural_covariance(const Frame& frame, const Posterior& q);

// KL(q(u) || p(u)) = (tr C + a'a - m - log |C|)/2. Needs C positive definite.
double kl_divergence(const Posterior& q);

}  // namespace induce::detail
