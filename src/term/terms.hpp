// Functions of one or two columns with inducing values of their own (docs/math.md). With those of all terms in one vector,
//   f(x) = mean + g(x) + sum_p h_p(x)'u_p,        u_p ~ N(0, K_p),   K_p = s_p^2 R_p = C_p C_p',   u_p = C_p e_p,
// g the joint term, whose row is v (core/frame.hpp). h_p has the shares of axis.hpp: z_p = 2 entries that are not 0 for a
// column (a main effect). A pair of columns has the products of both, z_p = 4, on the grid of both axes, and the product of
// both priors: C_p = s_p C_1 (x) C_2.
//   phi(x) = [v(x); C_1'h_1(x); ...; C_P'h_P(x)],   e ~ N(0, I)
// takes the place of v in core/posterior.hpp. A finite basis has no residual: the sparsity price is that of g alone.
//
// Sums over rows are sums over h, so they need no theta: tables H_p'W H_q, and columns V W H_p. C multiplies them once for an
// evaluation. For the parameters of a term, with E the derivative of axis.hpp,
//   dF/dlog s_p = a_p'a_p - tr D_pp,      dF/dlog l = (a_p'E a_p - tr(E D_pp))/2,    E (x) I or I (x) E in a pair,
// since F has dF/dK_p = C_p^-T (a_p a_p' - D_pp) C_p^-1 / 2 (as core/gradient.hpp, without the part of the residual).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "linalg/types.hpp"
#include "term/axis.hpp"

namespace induce::detail {

struct Term {
  std::vector<Index> columns;  // one or two
  std::vector<Axis> axes;      // of these

  Index size() const;     // of u_p
  Index entries() const;  // z_p
};

// All terms of a kernel, one after the other.
class Terms {
 public:
  Terms() = default;
  explicit Terms(std::vector<Term> terms);

  bool empty() const { return terms_.empty(); }
  Index count() const { return static_cast<Index>(terms_.size()); }
  const Term& operator[](Index p) const { return terms_[p]; }
  Index at(Index p) const { return at_[p]; }   // of u_p in u
  Index values() const { return at_.back(); }  // of u
  // Tables of all pairs q <= p, one after the other: size_p x size_q, row-major.
  Index table(Index p, Index q) const { return table_[p * (p + 1) / 2 + q]; }
  Index tables() const { return table_.back(); }  // numbers

  // The symmetric matrix over u of such tables.
  Matrix from_tables(const double* tables) const;

 private:
  std::vector<Term> terms_;
  std::vector<Index> at_{0}, table_{0};
};

// At one theta: for each term its s_p, then for each axis with a length-scale that.
class PlacedTerms {
 public:
  PlacedTerms(const Terms& terms, const double* stds, const double* lengthscales);

  const Terms& terms() const { return *terms_; }
  double variance() const { return variance_; }  // of the sum of all terms at a row, at most
  // A := A C and A := A C'; A has a column for each value.
  void times_factor(Matrix& A) const;
  void times_transposed_factor(Matrix& A) const;
  // The same for the columns of term p alone; A has `rows` rows.
  void times_factor(Index p, double* A, Index rows) const { multiply(p, A, rows, false); }
  void times_transposed_factor(Index p, double* A, Index rows) const { multiply(p, A, rows, true); }
  // Adds dF for the logarithms, from a and D, which end with those of the values.
  void gradient(const Vector& a, const Matrix& D, double* d_stds, double* d_lengthscales) const;

 private:
  struct Placed {
    double std;
    std::vector<PlacedAxis> axes;
  };
  void multiply(Index p, double* A, Index rows, bool transposed) const;

  const Terms* terms_;
  std::vector<Placed> placed_;
  double variance_ = 0;
};

}  // namespace induce::detail
