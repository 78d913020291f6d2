// The limited-memory matrix B of L-BFGS-B (Byrd, Nocedal and Schnabel 1994): what the last k steps say about the second
// derivatives of f.
//   s_j = x_{j+1} - x_j,   y_j = g_{j+1} - g_j,   theta = y'y / s'y of the newest pair
//   W = [Y, theta S] (n x 2k),   D = diag(s_j'y_j),   L = S'Y below the diagonal
//   B = theta I - W M W',   M^-1 = [ -D  L' ;  L  theta S'S ]
// Let F be the free variables, A the others, B_F the block of F. By the formula of Sherman, Morrison and Woodbury
//   B_F^-1 = I/theta + W_F N W_F'/theta^2,   N^-1 = M^-1 - W_F'W_F/theta = [ -P  C' ;  C  E ]
//   P = D + Y_F'Y_F/theta,   E = theta S_A'S_A,   C = L - S_F'Y_F:  S_A'Y_A below the diagonal, -S_F'Y_F on and above it
// M is N with A all variables. P is positive definite, and so is its Schur complement E + C P^-1 C'.
#pragma once

#include <Eigen/Cholesky>
#include <deque>
#include <optional>
#include <vector>

#include "linalg/types.hpp"

namespace induce::detail {

class Curvature {
 public:
  // Without pairs, B = I.
  explicit Curvature(int most_pairs) : most_pairs_(most_pairs) { clear(); }

  // N of one set of active variables, applied to vectors.
  class Middle {
   public:
    Middle(const Matrix& P, const Matrix& C, const Matrix& E);
    bool ok() const { return schur_.info() == Eigen::Success; }  // false: rounding has made it indefinite
    Vector operator*(const Vector& v) const;

   private:
    Matrix C_;
    Eigen::LLT<Matrix> P_, schur_;
  };

  void clear();
  // Takes a pair in, in place of the oldest one if there are too many. If B is then not positive definite to
  // rounding, all are forgotten.
  void add(Vector s, Vector y);

  bool empty() const { return pairs_.empty(); }
  double theta() const { return theta_; }
  const Middle& M() const { return *M_; }
  Middle N(const std::vector<Index>& active) const;
  Vector row(Index i) const;               // of W
  Vector Wt_times(const Vector& v) const;  // W'v
  Vector W_times(const Vector& c) const;   // W c

 private:
  struct Pair {
    Vector s, y;
  };
  struct Products {
    Matrix SS, SY, YY;
  };
  Index k() const { return static_cast<Index>(pairs_.size()); }
  Middle middle(const Products& active) const;

  int most_pairs_;
  double theta_ = 1;
  std::deque<Pair> pairs_;  // the oldest first
  Products all_;
  std::optional<Middle> M_;
};

}  // namespace induce::detail
