#include "likelihood/softmax_likelihood.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "likelihood/logistic.hpp"
#include "likelihood/softmax.hpp"

namespace induce::detail {
namespace {

// A thread's workspace grows to what it needs once.
double* workspace_of(Index classes) {
  thread_local Vector workspace;
  if (const Index size = softmax_workspace(classes); workspace.size() < size) workspace.resize(size);
  return workspace.data();
}

struct LogisticNormal {
  double mu, s;
};

// eta ~ N(mu, s^2) such that E sigma(eta) = p <= 1/2 and E sigma'(eta) = w. For a given s, mu is found by Newton's method on log odds, which
// are nearly linear in it unless s is large: a step that leaves what is known of mu halves that instead. E sigma(eta) > sigma(mu), and
// E sigma(eta) <= e^-t + P(eta > -t) <= p if t = log(2/p) and mu <= -t - s sqrt(2 t). w falls as s grows, which a bisection inverts.
LogisticNormal logistic_normal(double p, double w) {
  constexpr int steps = 30, newton_steps = 40;
  constexpr double widest = 50, close = 1e-9;
  const auto log_odds = [](double q) { return std::log(q) - std::log1p(-q); };
  const double wanted = log_odds(p), t = std::log(2 / p);
  LogisticNormal found{wanted, 0};
  const auto slope_at = [&](double s) {
    const double v = s * s;
    double low = -wanted, high = t + s * std::sqrt(2 * t);
    double minus_mu = std::min(-wanted * std::sqrt(1 + std::numbers::pi * v / 8), high);
    double value = 0, P = 0, slope = 0;
    for (int step = 0; step < newton_steps; ++step) {
      expected_log_sigmoid(&minus_mu, &v, 1, &value, &P, &slope);  // P = E sigma(eta), slope = -E sigma'
      const double off = wanted - log_odds(P);
      if (std::abs(off) < close) break;
      (off < 0 ? low : high) = minus_mu;
      minus_mu += off * P * (1 - P) / slope;
      if (!(minus_mu > low && minus_mu < high)) minus_mu = (low + high) / 2;
    }
    found = {-minus_mu, s};
    return -slope;
  };
  double narrow = 0, wide = widest;
  for (int step = 0; step < steps; ++step) {
    const double s = (narrow + wide) / 2;
    (slope_at(s) > w ? narrow : wide) = s;
  }
  return found;
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

// log rate, centred.
std::vector<double> SoftmaxLikelihood::latent_means(const std::vector<double>& rates) const {
  std::vector<double> means;
  double sum = 0;
  for (const double rate : rates) sum += means.emplace_back(std::log(std::max(rate, rarest_class)));
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

// H = log sum_c exp f_c - sum_c p_c(f) f_c. By Stein's lemma E p_c f_c = m_c E p_c + S2_c E dp_c/df_c = m_c p_c + S2_c w_c.
void SoftmaxLikelihood::expected_entropy(const double* m, const double* S2, Index count, double* H) const {
  double* workspace = workspace_of(classes_);
  Vector p(classes_), w(classes_);
  for (Index i = 0; i < count; ++i) {
    const Eigen::Map<const Vector> mean(m + i * classes_, classes_), variance(S2 + i * classes_, classes_);
    double log_sum = 0;
    softmax_expectations(mean.data(), variance.data(), classes_, workspace, log_sum, p.data(), w.data());
    H[i] = log_sum - mean.dot(p) - variance.dot(w);
  }
}

// The log odds of c against all others, eta = f_c - log sum_(k != c) exp f_k, are taken as normal, N(mu, v), with the mean and
// the variance of p_c = sigma(eta) as they are: E p_c = p_c and E p_c (1 - p_c) = w_c.
void SoftmaxLikelihood::probability_range(const double* m, const double* S2, const double* p, double* low,
                                          double* high) const {
  Vector own(classes_), w(classes_);
  double log_sum = 0;
  softmax_expectations(m, S2, classes_, workspace_of(classes_), log_sum, own.data(), w.data());
  for (Index c = 0; c < classes_; ++c) {
    const double rarer = std::min(p[c], 1 - p[c]);
    low[c] = high[c] = p[c];
    if (!(rarer > 1e-12)) continue;
    const auto [mu, s] = logistic_normal(rarer, w[c]);
    const double below = sigmoid(mu - quantile_97_5 * s), above = sigmoid(mu + quantile_97_5 * s);
    low[c] = p[c] <= 0.5 ? below : 1 - above;
    high[c] = p[c] <= 0.5 ? above : 1 - below;
  }
}

}  // namespace induce::detail
