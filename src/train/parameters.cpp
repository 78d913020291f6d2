#include "train/parameters.hpp"

#include <cmath>
#include <limits>

namespace induce {
namespace {

struct Range {
  double low, high;
};
constexpr Range signal_range{1e-3, 1e3}, lengthscale_range{1e-2, 1e4}, noise_range{1e-3, 1e2};
constexpr double unlimited = std::numeric_limits<double>::infinity();

Vector bounds(const Layout& layout, const Prior& prior, double Range::*end, double sign) {
  Vector x = Vector::Constant(layout.size(prior), sign * unlimited);
  const Index l = prior.hyper.lengthscales.size();
  x[0] = std::log(signal_range.*end);
  x.segment(1, l).setConstant(std::log(lengthscale_range.*end * layout.spread));
  if (layout.noise) x[1 + l] = std::log(noise_range.*end);
  return x;
}

}  // namespace

Index Layout::size(const Prior& prior) const {
  return 1 + prior.hyper.lengthscales.size() + noise + mean + (inputs ? prior.Z.size() : 0);
}

Vector Layout::pack(const Prior& prior) const {
  Vector x(size(prior));
  const Index l = prior.hyper.lengthscales.size();
  Index at = 0;
  x[at++] = std::log(prior.hyper.signal_std);
  x.segment(at, l) = prior.hyper.lengthscales.array().log();
  at += l;
  if (noise) x[at++] = std::log(prior.hyper.noise_std);
  if (mean) x[at++] = prior.hyper.mean;
  if (inputs) x.segment(at, prior.Z.size()) = prior.Z.reshaped();
  return x;
}

Prior Layout::unpack(const Prior& like, const Vector& x) const {
  Prior prior = like;
  const Index l = like.hyper.lengthscales.size();
  Index at = 0;
  prior.hyper.signal_std = std::exp(x[at++]);
  prior.hyper.lengthscales = x.segment(at, l).array().exp();
  at += l;
  if (noise) prior.hyper.noise_std = std::exp(x[at++]);
  if (mean) prior.hyper.mean = x[at++];
  if (inputs) prior.Z = x.segment(at, like.Z.size()).reshaped(like.Z.rows(), like.Z.cols());
  return prior;
}

void Layout::pack_gradient(const Prior& prior, const Gradient& gradient, Vector& out) const {
  const Index l = prior.hyper.lengthscales.size();
  Index at = 0;
  out[at++] = gradient.log_signal_std;
  if (l == 1)
    out[at] = gradient.log_lengthscales.sum();
  else
    out.segment(at, l) = gradient.log_lengthscales;
  at += l;
  if (noise) out[at++] = gradient.log_noise_std;
  if (mean) out[at++] = gradient.mean;
  if (inputs) out.segment(at, gradient.Z.size()) = gradient.Z.reshaped();
}

Vector Layout::lower(const Prior& prior) const { return bounds(*this, prior, &Range::low, -1); }
Vector Layout::upper(const Prior& prior) const { return bounds(*this, prior, &Range::high, +1); }

}  // namespace induce
