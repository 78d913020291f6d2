// Two classes: likelihood/logistic_predictive.cpp and Phi(m/sqrt(1 + S2)), line by line. Ordered ones: likelihood/ordinal_likelihood.cpp. The numbers that the library computes
// once are constants here.
#include "export/c_source.hpp"

#include <cmath>
#include <numbers>
#include <string_view>
#include <vector>

#include <induce/error.hpp>

#include "export/c_text.hpp"
#include "text/compose.hpp"

namespace induce::detail::c_source {
namespace {

constexpr std::string_view probit =
    R"(static inline void induce_probabilities(const double *mean, const double *variance, double *p) {
  const double x = mean[0] / sqrt(1.0 + variance[0]);
  p[0] = 0.5 * erfc(x * 0.70710678118654752);
  p[1] = 0.5 * erfc(-x * 0.70710678118654752);
}
)";

constexpr int rest_nodes = 152, trapezoid_nodes = 41;
constexpr double h = 0.5, b = 8 * std::numbers::inv_pi;

constexpr std::string_view expected_sigmoid = R"(
/* Mills' ratio (1 - Phi(z)) / phi(z), z >= 0: a polynomial in (z - 5)/(z + 5). */
static inline double induce_mills_ratio(double z) {
  static const double P[21] = {
      0.19280810471531576,     -0.1667866595188989,    0.12415470615739103,     -0.07859110755444265,
      0.04136447157294455,     -0.01732547341332258,   0.005212550248260094,    -0.0007503282358809737,
      -0.00019999626770589952, 0.00013658565999337814, -1.4882918529688417e-05, -1.247270507920554e-05,
      4.180171633069977e-06,   9.956429010606642e-07,  -6.91798056161122e-07,   -8.10888036367098e-08,
      1.0573006226025632e-07,  7.476919614349498e-09,  -1.4573727205857553e-08, -5.922612865858991e-10,
      1.2912874213654848e-09};
  const double rest = 10.0 / (z + 5.0), q = 1.0 - rest;
  double sum = P[20];
  int k;
  for (k = 19; k >= 0; --k) sum = sum * q + P[k];
  return rest * sum;
}

/* h sum over f = h, 2h, ... of (sigma(f) - Phi(f/sqrt(b))) (N(f; mu, S2) - N(f; -mu, S2)), times exp(mu^2/2S2 - offset). */
static inline double induce_sum_of_rest(double mu, double S2, double offset) {
@REST@  double sum = 0.0;
  int j;
  for (j = 0; j < @REST_NODES@; ++j) {
    const double f = 0.5 * (j + 1), common = -(f * f * (0.5 / S2) + offset), tilt = mu / S2 * f;
    sum += rest[j] * (exp(common + tilt) - exp(common - tilt));
  }
  return 0.5 * 0.39894228040143268 / sqrt(S2) * sum;
}

/* log of P = E sigma(f), f ~ N(m, S2), for m >= -S2/2. */
static inline double induce_log_central(double m, double S2) {
  const double b = @B@, mu = fabs(m);
  double u, exponent, tail;
  if (S2 <= 1.0) {
@WEIGHTS@    const double s = sqrt(S2);
    double sum = 0.0;
    int j;
    for (j = 0; j < @TRAPEZOID_NODES@; ++j) sum += weight[j] / (1.0 + exp(-(m + s * 0.5 * (j - @MIDDLE@))));
    return log(sum);
  }
  if (m > 800.0 + 40.0 * sqrt(S2)) return 0.0;
  u = mu / sqrt(S2 + b);
  exponent = 0.5 * mu * (mu / S2);
  if (m >= 0.0) {
    tail = 0.39894228040143268 * exp(-0.5 * u * u) * induce_mills_ratio(u);
    return log1p(-(tail - induce_sum_of_rest(mu, S2, exponent)));
  }
  tail = 0.39894228040143268 * exp(exponent * (b / (S2 + b))) * induce_mills_ratio(u);
  return log(tail - induce_sum_of_rest(mu, S2, 0.0)) - exponent;
}

/* P for m <= 0. sigma(f) = e^f sigma(-f) turns a mean below -S2/2 into one above it. */
static inline double induce_rarer(double m, double S2) {
  return exp(m >= -0.5 * S2 ? induce_log_central(m, S2) : m + 0.5 * S2 + induce_log_central(-(m + S2), S2));
}
)";

constexpr std::string_view logistic = R"(
static inline void induce_probabilities(const double *mean, const double *variance, double *p) {
  const double smaller = induce_rarer(-fabs(mean[0]), variance[0]);
  p[0] = mean[0] < 0.0 ? 1.0 - smaller : smaller;
  p[1] = mean[0] < 0.0 ? smaller : 1.0 - smaller;
}
)";

constexpr std::string_view ordinal = R"(
/* E sigma(b - f) and E sigma(f - b) of the thresholds before and after a class. */
static inline void induce_probabilities(const double *mean, const double *variance, double *p) {
@THRESHOLDS@  double below = 0.0, above = 1.0;
  int k;
  for (k = 0; k < INDUCE_CLASSES; ++k) {
    double next_below = 1.0, next_above = 0.0;
    if (k + 1 < INDUCE_CLASSES) {
      const double x = threshold[k] - mean[0], rarer = induce_rarer(-fabs(x), variance[0]);
      next_below = x < 0.0 ? rarer : 1.0 - rarer;
      next_above = x < 0.0 ? 1.0 - rarer : rarer;
    }
    p[k] = next_below < above ? next_below - below : above - next_above;
    if (p[k] < 0.0) p[k] = 0.0;
    below = next_below;
    above = next_above;
  }
}
)";

std::string expected_sigmoid_function() {
  std::vector<double> rest, weights;
  for (int j = 0; j < rest_nodes; ++j) {
    const double f = h * (j + 1);
    rest.push_back(0.5 * std::erfc(f / std::sqrt(2 * b)) - 1 / (1 + std::exp(f)));
  }
  for (int j = 0; j < trapezoid_nodes; ++j) {
    const int from_middle = j - trapezoid_nodes / 2;
    const double t = h * from_middle;
    weights.push_back(h * std::exp(-0.5 * t * t) / std::sqrt(2 * std::numbers::pi));
  }
  return filled(expected_sigmoid, {{"REST", array("rest", rest)},
                                   {"REST_NODES", std::to_string(rest_nodes)},
                                   {"WEIGHTS", array("weight", weights)},
                                   {"TRAPEZOID_NODES", std::to_string(trapezoid_nodes)},
                                   {"MIDDLE", std::to_string(trapezoid_nodes / 2)},
                                   {"B", number(b)}});
}

}  // namespace

std::string probabilities_of(const std::string& likelihood, const PlainModel& model) {
  if (likelihood == "logistic") return expected_sigmoid_function() + std::string(logistic);
  if (likelihood == "ordinal")
    return expected_sigmoid_function() +
           filled(ordinal, {{"THRESHOLDS", array("threshold", model.thresholds)}});
  if (likelihood == "probit") return std::string(probit);
  if (likelihood == "softmax") return softmax_probabilities(model);
  throw data_error("likelihood '" + likelihood + "' cannot be written as C");
}

}  // namespace induce::detail::c_source
