// With b = b_(k+1), b' = b_k and g = b - b' for a row of class k,
//   l(f) = log[sigma(b - f) - sigma(b' - f)] = log sigma(b - f) + log sigma(f - b') + log(1 - e^-g),
// because sigma(x) - sigma(y) = sigma(x) sigma(-y) (1 - e^(y - x)). So E l takes two calls of the logistic's expectations (logistic.hpp),
// one for the first and the last class, l is concave in f and the thresholds, and
//   dE l/db = E sigma(f - b) + 1/(e^g - 1),      dE l/db' = -E sigma(b' - f) - 1/(e^g - 1).
//
// P(y = k) = E sigma(b - f) - E sigma(b' - f) = E sigma(f - b') - E sigma(f - b). The form is taken whose terms are small, so that
// no digit of a tail is lost to the number 1: P has the relative accuracy of the logistic's probability, divided by min(g, 1).
#include "likelihood/ordinal_likelihood.hpp"

#include <cmath>
#include <numbers>

#include "likelihood/logistic.hpp"
#include "likelihood/trapezoid.hpp"

namespace induce::detail {
namespace {

constexpr Index rows_at_once = 64;

// The calls of the logistic's expectations for a rows_at_once of rows.
struct Calls {
  Calls(const Vector& thresholds, const double* y, const double* m, const double* S2, Index rows) {
    for (Index i = 0; i < rows; ++i) {
      const auto k = static_cast<Index>(y[i]);
      if (k < thresholds.size()) add(i, -1, thresholds[k] - m[i], S2[i]);
      if (k > 0) add(i, 1, m[i] - thresholds[k - 1], S2[i]);
    }
  }
  void add(Index i, double of_f, double mean, double variance) {
    row[count] = i;
    sign[count] = of_f;
    at[count] = mean;
    S2_of[count++] = variance;
  }

  std::size_t count = 0;
  Index row[2 * rows_at_once];
  double sign[2 * rows_at_once];  // of f in the argument
  double at[2 * rows_at_once], S2_of[2 * rows_at_once];
};

double standard_cdf(double z) { return std::erfc(-z / std::numbers::sqrt2) / 2; }

}  // namespace

OrdinalLikelihood::OrdinalLikelihood(Index classes, Vector thresholds)
    : classes_(classes), b_(std::move(thresholds)), rest_(Vector::Zero(classes)) {
  for (Index k = 1; k < b_.size(); ++k) rest_[k] = std::log(-std::expm1(b_[k - 1] - b_[k]));
}

std::shared_ptr<const Likelihood> OrdinalLikelihood::given(const Vector& thresholds) const {
  return std::make_shared<const OrdinalLikelihood>(classes_, thresholds);
}

// Those of the rates where f = 0. Classes without rows get a narrow interval.
Vector OrdinalLikelihood::first_thresholds(const std::vector<double>& rates) const {
  constexpr double smallest_gap = 1e-3;
  Vector found(classes_ - 1);
  double below = 0;
  for (Index k = 0; k < found.size(); ++k) {
    below += rates[static_cast<std::size_t>(k)];
    const double share = std::clamp(below, rarest_class, 1 - rarest_class);
    found[k] = std::log(share / (1 - share));
    if (k > 0) found[k] = std::max(found[k], found[k - 1] + smallest_gap);
  }
  return found;
}

void OrdinalLikelihood::expectations(const double* y, const double* m, const double* S2, Index count,
                                     double* value, double* slope, double* curvature) const {
  double l[2 * rows_at_once], dl[2 * rows_at_once], ddl[2 * rows_at_once];
  for (Index first = 0; first < count; first += rows_at_once) {
    const Index rows = std::min(rows_at_once, count - first);
    const Calls calls(b_, y + first, m + first, S2 + first, rows);
    expected_log_sigmoid(calls.at, calls.S2_of, calls.count, l, dl, ddl);
    for (Index i = first; i < first + rows; ++i) {
      value[i] = rest_[static_cast<Index>(y[i])];
      slope[i] = curvature[i] = 0;
    }
    for (std::size_t c = 0; c < calls.count; ++c) {
      const Index i = first + calls.row[c];
      value[i] += l[c];
      slope[i] += calls.sign[c] * dl[c];
      curvature[i] += ddl[c];
    }
  }
}

void OrdinalLikelihood::expected_log(const double* y, const double* m, const double* S2, Index count,
                                     double* value) const {
  double l[2 * rows_at_once];
  for (Index first = 0; first < count; first += rows_at_once) {
    const Index rows = std::min(rows_at_once, count - first);
    const Calls calls(b_, y + first, m + first, S2 + first, rows);
    expected_log_sigmoid(calls.at, calls.S2_of, calls.count, l);
    for (Index i = first; i < first + rows; ++i) value[i] = rest_[static_cast<Index>(y[i])];
    for (std::size_t c = 0; c < calls.count; ++c) value[first + calls.row[c]] += l[c];
  }
}

void OrdinalLikelihood::add_threshold_slopes(const double* y, const double* m, const double* S2,
                                             const double* weight, Index count, double* sums) const {
  double l[2 * rows_at_once], dl[2 * rows_at_once], ddl[2 * rows_at_once];
  for (Index first = 0; first < count; first += rows_at_once) {
    const Index rows = std::min(rows_at_once, count - first);
    const Calls calls(b_, y + first, m + first, S2 + first, rows);
    expected_log_sigmoid(calls.at, calls.S2_of, calls.count, l, dl, ddl);
    for (std::size_t c = 0; c < calls.count; ++c) {
      const Index i = first + calls.row[c], k = static_cast<Index>(y[i]);
      sums[calls.sign[c] < 0 ? k : k - 1] -= calls.sign[c] * weight[i] * dl[c];
    }
    for (Index i = first; i < first + rows; ++i) {
      const auto k = static_cast<Index>(y[i]);
      if (k == 0 || k == b_.size()) continue;
      const double of_gap = weight[i] / std::expm1(b_[k] - b_[k - 1]);
      sums[k] += of_gap;
      sums[k - 1] -= of_gap;
    }
  }
}

void OrdinalLikelihood::probabilities(const double* m, const double* S2, Index count, double* p) const {
  const Index last = b_.size();
  for (Index i = 0; i < count; ++i, p += classes_) {
    // E sigma(b - f) and E sigma(f - b) of the threshold before class k.
    double below = 0, above = 1;
    for (Index k = 0; k <= last; ++k) {
      const double x = k < last ? b_[k] - m[i] : 0,
                   rarer = k < last ? expected_sigmoid(-std::abs(x), S2[i]) : 0;
      const double next_below = x < 0 ? rarer : 1 - rarer, next_above = x < 0 ? 1 - rarer : rarer;
      p[k] = std::max(0.0, next_below < above ? next_below - below : above - next_above);
      below = next_below;
      above = next_above;
    }
  }
}

double OrdinalLikelihood::probability(Index k, double f) const {
  const double before = k < b_.size() ? sigmoid(b_[k] - f) : 1, after = k > 0 ? sigmoid(f - b_[k - 1]) : 1;
  return before * after * std::exp(rest_[k]);
}

// As for two classes (binary_doubt.cpp): p(y = k | f) has no zeros and no poles within a distance of pi of the real axis. Beyond
// 40 outside the thresholds there is no entropy.
void OrdinalLikelihood::expected_entropy(const double* m, const double* S2, Index count, double* H) const {
  constexpr double last = 40;
  const auto entropy = [this](double f) {
    double sum = 0;
    for (Index k = 0; k < classes_; ++k) {
      const double p = probability(k, f);
      sum -= p > 0 ? p * std::log(p) : 0;
    }
    return sum;
  };
  for (Index i = 0; i < count; ++i)
    H[i] = expected_between(b_[0] - last, b_[b_.size() - 1] + last, m[i], S2[i], entropy);
}

// p(y = k | f) of the first and the last class is monotone in f, so its quantiles are those of f. That of another class depends on
// |f - c| only, c = (b + b')/2, and falls with it: its quantiles are those of |f - c|, the r where
//   Phi((c + r - m)/s) - Phi((c - r - m)/s) = share,
// found by bisection.
void OrdinalLikelihood::probability_range(const double* m, const double* S2, const double* /*p*/, double* low,
                                          double* high) const {
  const double s = std::sqrt(*S2), reach = quantile_97_5 * s;
  const Index last = b_.size();
  high[0] = probability(0, *m - reach);
  low[0] = probability(0, *m + reach);
  low[last] = probability(last, *m - reach);
  high[last] = probability(last, *m + reach);
  for (Index k = 1; k < last; ++k) {
    const double c = (b_[k] + b_[k - 1]) / 2;
    const auto distance = [&](double share) {
      double near = 0, far = std::abs(*m - c) + 10 * s;
      for (int step = 0; step < 60; ++step) {
        const double r = (near + far) / 2;
        const double inside =
            s > 0 ? standard_cdf((c + r - *m) / s) - standard_cdf((c - r - *m) / s) : (std::abs(*m - c) <= r);
        (inside < share ? near : far) = r;
      }
      return far;
    };
    high[k] = probability(k, c + distance(0.025));
    low[k] = probability(k, c + distance(0.975));
  }
}

}  // namespace induce::detail
