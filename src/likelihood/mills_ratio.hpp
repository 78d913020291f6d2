// Mills' ratio R(z) = Phi(-z) / phi(z) for z >= 0, without branches or library calls.
//
// R decays like 1/z. With q = (z - 5)/(z + 5), which maps [0, inf) to [-1, 1), 1 - q = 10/(z + 5) decays the
// same way and
//   R(z) = (1 - q) P(q),   P of degree 20, relative error 1e-15 (scripts/mills_polynomial.py)
// Then Phi(-z) = phi(z) R(z) keeps its relative accuracy in the far tail. A lower degree would suffice for
// values, but its error would show as a kink where a caller joins the two signs of z, and optimizers take
// differences.
#pragma once

#include "linalg/multiversion.hpp"

namespace induce::detail {

inline constexpr double inverse_sqrt_two_pi = 0.39894228040143268;

INDUCE_ALWAYS_INLINE double mills_ratio(double z) {
  constexpr double P[21] = {
      0.19280810471531576,     -0.1667866595188989,    0.12415470615739103,     -0.07859110755444265,
      0.04136447157294455,     -0.01732547341332258,   0.005212550248260094,    -0.0007503282358809737,
      -0.00019999626770589952, 0.00013658565999337814, -1.4882918529688417e-05, -1.247270507920554e-05,
      4.180171633069977e-06,   9.956429010606642e-07,  -6.91798056161122e-07,   -8.10888036367098e-08,
      1.0573006226025632e-07,  7.476919614349498e-09,  -1.4573727205857553e-08, -5.922612865858991e-10,
      1.2912874213654848e-09,
  };
  const double one_minus_q = 10.0 / (z + 5.0);
  const double q = 1.0 - one_minus_q;
  const double q2 = q * q;
  const double q4 = q2 * q2;
  // Four short dependency chains instead of a long one, for instruction-level parallelism.
  double a = P[16] + P[20] * q4;
  a = P[12] + a * q4;
  a = P[8] + a * q4;
  a = P[4] + a * q4;
  a = P[0] + a * q4;
  double b = P[13] + P[17] * q4;
  b = P[9] + b * q4;
  b = P[5] + b * q4;
  b = P[1] + b * q4;
  double c = P[14] + P[18] * q4;
  c = P[10] + c * q4;
  c = P[6] + c * q4;
  c = P[2] + c * q4;
  double d = P[15] + P[19] * q4;
  d = P[11] + d * q4;
  d = P[7] + d * q4;
  d = P[3] + d * q4;
  return one_minus_q * ((a + b * q) + q2 * (c + d * q));
}

}  // namespace induce::detail
