// Likelihoods with p(y | f) = P(y f): they depend on the label only through the sign of f, so E[l] for y = -1 is that
// for y = +1 at -m. A subclass gives the means for y = +1.
#pragma once

#include "likelihood/likelihood.hpp"

namespace induce::detail {

class SymmetricLikelihood : public BinaryLikelihood {
 public:
  void expectations(const double* y, const double* m, const double* S2, Index count, double* value,
                    double* slope, double* curvature) const final {
    for (Index i = 0; i < count; ++i) value[i] = y[i] * m[i];
    positive_expectations(value, S2, static_cast<std::size_t>(count), value, slope, curvature);
    for (Index i = 0; i < count; ++i) slope[i] *= y[i];
  }
  void expected_log(const double* y, const double* m, const double* S2, Index count,
                    double* value) const final {
    for (Index i = 0; i < count; ++i) value[i] = y[i] * m[i];
    positive_expected_log(value, S2, static_cast<std::size_t>(count), value);
  }

 protected:
  // The two functions above for y = +1; `value` may alias `m`.
  virtual void positive_expectations(const double* m, const double* S2, std::size_t count, double* value,
                                     double* slope, double* curvature) const = 0;
  virtual void positive_expected_log(const double* m, const double* S2, std::size_t count,
                                     double* value) const = 0;
};

}  // namespace induce::detail
