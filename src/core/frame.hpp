// The prior at one theta and one set of inducing inputs: everything that does not depend on the rows.
//   K_mm = sigma_f^2 rho(Z, Z) + sigma_n^2 I (+ jitter sigma_f^2 I) = L L'                              (m x
//   m)
// A row enters through v_i = L^-1 k_i. Whitening every row, instead of the m x m sums, is what keeps the
// bound's rounding noise at 1e-10 instead of 1e-4 (docs/decisions.md).
#pragma once

#include "kernel/hyper.hpp"
#include "kernel/shape.hpp"
#include "linalg/jitter.hpp"
#include "linalg/types.hpp"

namespace induce {

struct Frame {
  long id = 0;  // of this theta and Z: two frames with one id are the same (0: none)
  const Shape* shape = nullptr;
  Hyper hyper;
  Matrix Z;           // m x d
  Vector inverse_l;   // d
  Matrix Z_s;         // m x d, divided by the length-scales
  Matrix K_signal;    // m x m, without noise and jitter
  Matrix L;           // m x m
  double jitter = 0;  // relative to sigma_f^2
  bool ok = false;    // false: K_mm could not be factorised

  Index m() const { return Z.rows(); }
  Index d() const { return Z.cols(); }
};

// Everything but K_signal and L.
Frame scaled_frame(const Shape& shape, const Hyper& hyper, const Matrix& Z);

Frame make_frame(const Shape& shape, const Hyper& hyper, const Matrix& Z, double jitter = first_jitter);

}  // namespace induce
