#include "train/parameters.hpp"

#include <cmath>
#include <limits>

namespace induce {
namespace {

// Calls visit(at, parameter) for each of the kernel's parameters; `at` is its offset in theta.
template <class Visit>
void for_each_parameter(const Kernel& kernel, const Visit& visit) {
  Index at = 0;
  for (const KernelParameter& parameter : kernel.parameters()) {
    visit(at, parameter);
    at += parameter.count;
  }
}

double transformed(const KernelParameter& parameter, double value) {
  return parameter.transform == Transform::log ? std::log(value) : value;
}

Vector bounds(const Layout& layout, const Prior& prior, double KernelParameter::*end, double unlimited) {
  Vector x = Vector::Constant(layout.size(prior), unlimited);
  for_each_parameter(*layout.kernel, [&](Index at, const KernelParameter& parameter) {
    x.segment(at, parameter.count).setConstant(transformed(parameter, parameter.*end));
  });
  return x;
}

}  // namespace

Index Layout::size(const Prior& prior) const {
  return prior.theta.size() + mean + (inputs ? prior.Z.size() : 0);
}

Vector Layout::pack(const Prior& prior) const {
  Vector x(size(prior));
  Index at = prior.theta.size();
  for_each_parameter(*kernel, [&](Index first, const KernelParameter& parameter) {
    const auto values = prior.theta.segment(first, parameter.count);
    if (parameter.transform == Transform::log)
      x.segment(first, parameter.count) = values.array().log();
    else
      x.segment(first, parameter.count) = values;
  });
  if (mean) x[at++] = prior.mean;
  if (inputs) x.segment(at, prior.Z.size()) = prior.Z.reshaped();
  return x;
}

Prior Layout::unpack(const Prior& like, const Vector& x) const {
  Prior prior = like;
  Index at = like.theta.size();
  for_each_parameter(*kernel, [&](Index first, const KernelParameter& parameter) {
    Vector values = x.segment(first, parameter.count);
    if (parameter.transform == Transform::log) values = values.array().exp();
    prior.theta.segment(first, parameter.count) = values;
  });
  if (mean) prior.mean = x[at++];
  if (inputs) prior.Z = x.segment(at, like.Z.size()).reshaped(like.Z.rows(), like.Z.cols());
  return prior;
}

void Layout::pack_gradient(const Gradient& gradient, Vector& out) const {
  Index at = gradient.log_theta.size();
  out.head(at) = gradient.log_theta;
  if (mean) out[at++] = gradient.mean;
  if (inputs) out.segment(at, gradient.Z.size()) = gradient.Z.reshaped();
}

Vector Layout::lower(const Prior& prior) const {
  return bounds(*this, prior, &KernelParameter::lower, -std::numeric_limits<double>::infinity());
}
Vector Layout::upper(const Prior& prior) const {
  return bounds(*this, prior, &KernelParameter::upper, std::numeric_limits<double>::infinity());
}

double log_prior(const Kernel& kernel, const Vector& theta, Vector& gradient) {
  double value = 0;
  for_each_parameter(kernel, [&](Index at, const KernelParameter& parameter) {
    for (Index k = at; parameter.prior && k < at + parameter.count; ++k) {
      const double std = parameter.prior->std,
                   z = (transformed(parameter, theta[k]) - parameter.prior->mean) / std;
      value -= z * z / 2;
      gradient[k] -= z / std;
    }
  });
  return value;
}

}  // namespace induce
