#include "core/frame.hpp"

#include <atomic>

#include "linalg/blas.hpp"

namespace induce::detail {
namespace {

long next_id() {
  static std::atomic<long> ids{0};
  return ++ids;
}

}  // namespace

Frame make_frame(std::shared_ptr<const Kernel> kernel, const Prior& prior, double jitter) {
  std::unique_ptr<PlacedKernel> placed = kernel->place(prior.theta.data(), prior.Z);
  Matrix K_mm;
  placed->inducing_covariance(K_mm);
  JitteredCholesky factor{.L = K_mm, .jitter = jitter, .ok = true};  // of terms alone: no inducing inputs
  if (prior.Z.rows() > 0) factor = jittered_cholesky(K_mm, placed->signal_variance(), jitter);
  Matrix W;
  if (factor.ok) W = blas::solver_of_lower(factor.L);
  return {next_id(),           std::move(kernel), prior,         std::move(placed),
          std::move(factor.L), std::move(W),      factor.jitter, factor.ok};
}

Frame Frame::of_one_function() const {
  Frame one = *this;
  one.prior.mean = 0;
  one.prior.classes.clear();
  return one;
}

Frame restore_frame(std::shared_ptr<const Kernel> kernel, const Prior& prior, Matrix L, double jitter) {
  const blas::SingleThreadedBlas single;  // as in the fit: terms and W are factorised again
  std::unique_ptr<PlacedKernel> placed = kernel->place(prior.theta.data(), prior.Z);
  Matrix W = blas::solver_of_lower(L);
  return {next_id(), std::move(kernel), prior, std::move(placed), std::move(L), std::move(W), jitter, true};
}

}  // namespace induce::detail
