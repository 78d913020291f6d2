#include "likelihood/softmax_likelihood.hpp"

#include <algorithm>
#include <cmath>

#include "likelihood/softmax.hpp"

namespace induce::detail {
namespace {

// A thread's workspace grows to what it needs once.
double* workspace_of(Index classes) {
  thread_local Vector workspace;
  if (const Index size = softmax_workspace(classes); workspace.size() < size) workspace.resize(size);
  return workspace.data();
}

}  // namespace

// l = f_y - log sum_c exp f_c:  dl/dm_c = 1[c = y] - p_c,  d2l/dm_c2 = -p_c (1 - p_c).
void SoftmaxLikelihood::expectations(const double* y, const double* m, const double* S2, Index count,
                                     double* value, double* slope, double* curvature) const {
  double* workspace = workspace_of(classes_);
  for (Index i = 0; i < count; ++i) {
    const Index at = i * classes_, label = static_cast<Index>(y[i]);
    double log_sum = 0;
    softmax_expectations(m + at, S2 + at, classes_, workspace, log_sum, slope + at, curvature + at);
    for (Index k = at; k < at + classes_; ++k) {
      slope[k] = -slope[k];
      curvature[k] = -curvature[k];
    }
    slope[at + label] += 1;
    value[i] = m[at + label] - log_sum;
  }
}

void SoftmaxLikelihood::expected_log(const double* y, const double* m, const double* S2, Index count,
                                     double* value) const {
  double* workspace = workspace_of(classes_);
  for (Index i = 0; i < count; ++i) {
    const Index at = i * classes_;
    value[i] = m[at + static_cast<Index>(y[i])] - expected_log_sum_exp(m + at, S2 + at, classes_, workspace);
  }
}

// log rate, centred. A class without rows counts as a very rare one.
std::vector<double> SoftmaxLikelihood::latent_means(const std::vector<double>& rates) const {
  constexpr double rarest = 1e-9;
  std::vector<double> means;
  double sum = 0;
  for (const double rate : rates) sum += means.emplace_back(std::log(std::max(rate, rarest)));
  for (double& mean : means) mean -= sum / static_cast<double>(rates.size());
  return means;
}

void SoftmaxLikelihood::probabilities(const double* m, const double* S2, Index count, double* p) const {
  double* workspace = workspace_of(classes_);
  for (Index i = 0; i < count; ++i) {
    const Index at = i * classes_;
    softmax_probabilities(m + at, S2 + at, classes_, workspace, p + at);
  }
}

}  // namespace induce::detail
