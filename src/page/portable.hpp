// A fitted model as plain numbers, from which a page computes the same predictions.
//
// With the kernel as a sum of summands (kernel/kernel.hpp) and k = k(Z, x), the latent function c of a row is N(m_c, S2_c),
//   m_c = mean_c + scale_c k'alpha_c,      S2_c = scale_c^2 max(k(x, x) - k'L^-T D_c L^-1 k, 0)      (core/posterior.hpp)
// and what its terms add (portable_terms.hpp).
// The quadratic form needs L and D_c, 2 m^2 numbers, or one triangle: with D = U diag(lambda) U' and X = L^-T U diag(lambda)^1/2,
//   k'L^-T D L^-1 k = |X'k|^2 = |T k|^2,        X' = (orthogonal) T,  T upper triangular, m (m + 1)/2 numbers.
// Unlike L^-T D L^-1, whose entries grow with 1/jitter, those of T grow with its root: nothing is lost to rounding. Negative
// eigenvalues (a q that is less certain than the prior) have a triangle of their own, which is subtracted.
//
// To take less room, numbers may be whole multiples of a unit, one for each column of Z and each row of T: the largest
// magnitude over 2^(6c-1) - 1, for c digits of base 64. What matters is the error relative to the largest, since all k are of one
// size: with 8 digits it is 4e-15, with 7 digits 2e-13. A double takes 10.7.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kernel/kernel.hpp"
#include "model/state.hpp"
#include "page/portable_terms.hpp"

namespace induce::detail {

// Rows of an upper trapezoid, r <= m: row i has its entries i .. m - 1. Row-major, without the zeros.
struct Trapezoid {
  Index rows = 0, m = 0;
  std::vector<double> entries;

  Vector times(const Vector& k) const;
};

struct PortableFunction {
  double mean = 0, scale = 1;
  Vector alpha;
  Trapezoid explained, added;  // of the positive and the negative eigenvalues of D
  std::optional<PortableTerms> terms;
};

// variance * rho(sum_f ((x_f - z_f) inverse_l_f)^2) over its features.
struct PortableSummand {
  std::string shape;  // as make_shape() takes it; empty: white noise, `variance` on the diagonal only
  double variance = 0;
  std::vector<Index> features{};
  std::vector<double> inverse_l{};  // one per feature
};

struct PortableModel {
  std::vector<PortableSummand> summands;
  Matrix Z;  // m x d
  std::vector<PortableFunction> functions;

  // The first of the inducing inputs; all but in a stand-in (stand_in.hpp).
  Index variance_inputs() const { return functions[0].explained.m; }
  // Mean and variance of each function at a row in the model's units.
  void latent(const double* x, double* m, double* S2) const;
};

// Digits of base 64 for each number; 0: doubles.
struct Widths {
  int inputs = 0, triangles = 0;
};

PortableModel portable(const Fitted& fitted);
// The length of its text with these widths, if no eigenvalue is negative or too small to count.
std::size_t packed_size(const Fitted& fitted, const Widths& widths);

struct Packed {
  std::string text;           // columns of Z, then the rows of each function's trapezoids
  std::vector<double> units;  // of these vectors; none for doubles
};
// Also rounds the model to what a reader gets.
Packed pack(PortableModel& model, const Widths& widths);
std::size_t packed_size(const PortableModel& model, const Widths& widths);

}  // namespace induce::detail
