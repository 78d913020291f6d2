// theta, the parameters of the prior, in natural units.
#pragma once

#include "linalg/types.hpp"

namespace induce {

struct Hyper {
  double signal_std = 1;  // sigma_f
  Vector lengthscales;    // one for all features, or one per feature
  double noise_std = 0;   // sigma_n: enters K_mm's diagonal and k_ii only (erratum E7); 0: no noise term
  double mean = 0;        // constant mean of f

  double variance() const { return signal_std * signal_std; }
  double noise_variance() const { return noise_std * noise_std; }
  double k_ii() const { return variance() + noise_variance(); }
  // 1 / l_f for each of d features.
  Vector inverse_lengthscales(Index d) const {
    return lengthscales.size() == 1 ? Vector::Constant(d, 1 / lengthscales[0])
                                    : Vector(lengthscales.cwiseInverse());
  }
};

}  // namespace induce
