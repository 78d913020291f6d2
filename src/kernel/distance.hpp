// A stationary kernel with one length-scale that reads squared distances instead of features.
//
// A row x_i is the vector of its squared distances to a pool of P points (table/row_pool.hpp), and the inducing input j is
// point j of the pool: its row in Z (m x P) has its own distances. So
//   r2_ji = x_ij / l^2,     K_ji = sigma_f^2 rho(r2_ji),     K_mm from r2_jk = Z_jk / l^2,     j, k < m <= P.
// For an adjoint G = dF/dK, with the shape's slope s = -2 d rho/d r2 and d r2/d log l = -2 r2,
//   dF/dlog l       = sum_ji G_ji sigma_f^2 s(r2_ji) r2_ji
//   dF/dlog sigma_f = 2 sum_ji G_ji K_ji.
// A block contributes these two sums. Z is fixed: points are rows of the table, and d_Z stays 0.
//
// Parameters, bounds and priors are those of StationaryKernel with one shared length-scale and one group of features: spread is
// that of a row, so the typical squared distance of two rows is 2 spread^2.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "kernel/kernel.hpp"
#include "kernel/shape.hpp"

namespace induce {

class DistanceKernel final : public Kernel {
 public:
  // `shape`: or "linear", as StationaryKernel::nearly_linear. `prefix` is prepended to the parameter names.
  DistanceKernel(const std::string& shape, const KernelSetting& setting, const std::string& prefix = "");

  std::string name() const override { return name_; }
  const std::vector<KernelParameter>& parameters() const override { return parameters_; }
  std::unique_ptr<PlacedKernel> place(const double* theta, const Matrix& Z) const override;

 private:
  std::string name_;
  std::unique_ptr<const Shape> shape_;
  std::vector<KernelParameter> parameters_;
};

}  // namespace induce
