#include "train/parameters.hpp"

#include <cmath>
#include <limits>

#include "likelihood/thresholds.hpp"

namespace induce::detail {
namespace {

constexpr double scale_std = 0.5;                             // of log r_c under its prior
constexpr double smallest_scale = 1e-3, largest_scale = 1e3;  // of r_c

double transformed(const KernelParameter& parameter, double value) {
  return parameter.transform == Transform::log ? std::log(value) : value;
}

Vector bounds(const Layout& layout, const Prior& prior, double KernelParameter::*end, double scale,
              double gap, double unlimited) {
  Vector x = Vector::Constant(layout.size(prior), unlimited);
  for_each_parameter(*layout.kernel, [&](Index at, const KernelParameter& parameter) {
    x.segment(at, parameter.count).setConstant(transformed(parameter, parameter.*end));
  });
  x.segment(prior.theta.size(), static_cast<Index>(prior.classes.size())).setConstant(std::log(scale));
  if (const Index count = layout.threshold_count(prior); count > 1)
    x.segment(layout.first_threshold(prior) + 1, count - 1).setConstant(std::log(gap));
  return x;
}

}  // namespace

Index Layout::size(const Prior& prior) const {
  const Index classes = static_cast<Index>(prior.classes.size());
  return prior.theta.size() + classes + (mean ? prior.functions() : 0) + threshold_count(prior) +
         (inputs ? prior.Z.size() : 0);
}

Index Layout::first_threshold(const Prior& prior) const {
  return prior.theta.size() + static_cast<Index>(prior.classes.size()) + (mean ? prior.functions() : 0);
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
  for (const ClassPrior& each : prior.classes) x[at++] = std::log(each.scale);
  if (mean && prior.classes.empty()) x[at++] = prior.mean;
  if (mean)
    for (const ClassPrior& each : prior.classes) x[at++] = each.mean;
  if (const Index count = threshold_count(prior); count > 0) {
    x.segment(at, count) = pack_thresholds(prior.thresholds);
    at += count;
  }
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
  for (ClassPrior& each : prior.classes) each.scale = std::exp(x[at++]);
  if (mean && prior.classes.empty()) prior.mean = x[at++];
  if (mean)
    for (ClassPrior& each : prior.classes) each.mean = x[at++];
  if (const Index count = threshold_count(like); count > 0) {
    prior.thresholds = unpack_thresholds(x.segment(at, count));
    at += count;
  }
  if (inputs) prior.Z = x.segment(at, like.Z.size()).reshaped(like.Z.rows(), like.Z.cols());
  return prior;
}

void Layout::pack_gradient(const Gradient& gradient, Vector& out) const {
  Index at = gradient.log_theta.size();
  out.head(at) = gradient.log_theta;
  for (const ClassPrior& each : gradient.classes) out[at++] = each.scale;
  if (mean && gradient.classes.empty()) out[at++] = gradient.mean;
  if (mean)
    for (const ClassPrior& each : gradient.classes) out[at++] = each.mean;
  if (thresholds) {
    out.segment(at, gradient.thresholds.size()) = gradient.thresholds;
    at += gradient.thresholds.size();
  }
  if (inputs) out.segment(at, gradient.Z.size()) = gradient.Z.reshaped();
}

Vector Layout::lower(const Prior& prior) const {
  return bounds(*this, prior, &KernelParameter::lower, smallest_scale, smallest_gap,
                -std::numeric_limits<double>::infinity());
}
Vector Layout::upper(const Prior& prior) const {
  return bounds(*this, prior, &KernelParameter::upper, largest_scale, largest_gap,
                std::numeric_limits<double>::infinity());
}

double log_prior(const Layout& layout, const Prior& prior, Vector& gradient) {
  const Kernel& kernel = *layout.kernel;
  const Vector& theta = prior.theta;
  double value = 0;
  for_each_parameter(kernel, [&](Index at, const KernelParameter& parameter) {
    for (Index k = at; parameter.prior && k < at + parameter.count; ++k) {
      const double std = parameter.prior->std,
                   z = (transformed(parameter, theta[k]) - parameter.prior->mean) / std;
      value -= z * z / 2;
      gradient[k] -= z / std;
    }
  });
  for (std::size_t c = 0; c < prior.classes.size(); ++c) {
    const double z = std::log(prior.classes[c].scale) / scale_std;
    value -= z * z / 2;
    gradient[theta.size() + static_cast<Index>(c)] -= z / scale_std;
  }
  if (const Index count = layout.threshold_count(prior); count > 0)
    value += log_prior_of_gaps(prior.thresholds, gradient.segment(layout.first_threshold(prior), count));
  return value;
}

}  // namespace induce::detail
