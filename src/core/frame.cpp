#include "core/frame.hpp"

#include <atomic>

#include "kernel/block.hpp"

namespace induce {

Frame scaled_frame(const Shape& shape, const Hyper& hyper, const Matrix& Z) {
  static std::atomic<long> ids{0};
  Frame frame;
  frame.id = ++ids;
  frame.shape = &shape;
  frame.hyper = hyper;
  frame.Z = Z;
  frame.inverse_l = hyper.inverse_lengthscales(Z.cols());
  frame.Z_s = Z * frame.inverse_l.asDiagonal();
  return frame;
}

Frame make_frame(const Shape& shape, const Hyper& hyper, const Matrix& Z, double jitter) {
  Frame frame = scaled_frame(shape, hyper, Z);
  frame.K_signal.resize(Z.rows(), Z.rows());
  const RowMatrix rows = frame.Z_s;
  covariance_block(shape, hyper.variance(), rows.data(), rows.rows(), frame.Z_s, frame.K_signal.data());

  Matrix K_mm = frame.K_signal;
  K_mm.diagonal().array() += hyper.noise_variance();
  JitteredCholesky factor = jittered_cholesky(K_mm, hyper.variance(), jitter);
  frame.L = std::move(factor.L);
  frame.jitter = factor.jitter;
  frame.ok = factor.ok;
  return frame;
}

}  // namespace induce
