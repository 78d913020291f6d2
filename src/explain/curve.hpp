// A linear function of the latent functions at some points: its posterior mean and standard deviation, one row per point and one
// column per latent function.
//
// With C latent functions only their differences matter, so it is taken of f_c - (1/C) sum_k f_k. The f_c are independent
// under q:
//   Var(c_c - (1/C) sum_k c_k) = (1 - 2/C) Var c_c + (1/C^2) sum_k Var c_k.
#pragma once

#include "linalg/types.hpp"

namespace induce::detail {

inline constexpr double half_width = 1.959963985;  // of a 95 % band, in standard deviations

struct Curve {
  Matrix mean, deviation;

  Matrix lower() const { return mean - half_width * deviation; }
  Matrix upper() const { return mean + half_width * deviation; }
};

// Of several functions minus their average; one stays as it is.
inline void subtract_average(Matrix& mean) {
  if (mean.cols() > 1) mean.colwise() -= Vector(mean.rowwise().mean());
}

inline Curve curve_of(Matrix mean, Matrix variance) {
  variance = variance.cwiseMax(0);
  if (const auto C = static_cast<double>(mean.cols()); C > 1) {
    subtract_average(mean);
    const Vector average_variance = variance.rowwise().sum() / (C * C);
    variance = ((1 - 2 / C) * variance).colwise() + average_variance;
  }
  return {std::move(mean), variance.cwiseSqrt()};
}

}  // namespace induce::detail
