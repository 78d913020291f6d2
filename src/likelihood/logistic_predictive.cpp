// P = E[sigma(f)], f ~ N(m, S2), to about 12 digits relative to P itself, however small P is.
//
// Tilting. sigma(f) = e^f sigma(-f), and e^f times the density of N(m, S2) is e^(m + S2/2) times that of
// N(m + S2, S2), so
//   P(m) = e^(m + S2/2) P(-(m + S2))                                                                     (1)
// This maps every m below -S2/2 to one above it, where the integrand peaks near f = 0 and nothing cancels.
//
// S2 <= 1. The trapezoid rule in t = (f - m)/sqrt(S2) with step h: the poles of sigma lie at distance
// pi/sqrt(S2) from the real line, so h = 1/2 leaves an error of e^(pi^2/2 - 2 pi^2/h), below rounding.
//
// S2 > 1. The trapezoid rule in f, with step h = 1/2 for the same reason. To keep the sum short however wide
// N(m, S2) is, sigma is split into Phi(f / sqrt(b)), b = 8/pi, whose mean is Phi(m / sqrt(S2 + b)), and an odd
// remainder g that is below e^-|f|. With f_j = j h and mu = |m|
//   P(-mu) = Phi(-mu / sqrt(S2 + b))
//            - h / sqrt(2 pi S2) sum_(j>0) g(f_j) (e^-(f_j - mu)^2/2S2 - e^-(f_j + mu)^2/2S2)            (2)
// For mu <= S2/2 the common factor e^(-mu^2/2S2) is factored out of (2) and kept as a logarithm.
#include "likelihood/logistic.hpp"

#include <array>
#include <cmath>
#include <numbers>

#include "likelihood/mills_ratio.hpp"
#include "linalg/multiversion.hpp"
#include "linalg/vector_math.hpp"

namespace induce::detail {
namespace {

constexpr double h = 0.5;
constexpr double b = 8 * std::numbers::inv_pi;  // Phi(f / sqrt(b)) has sigma's slope at 0
constexpr int rest_nodes = 152;                 // g(76) e^(76/2), the last term at mu = S2/2, is 3e-17
constexpr int trapezoid_nodes = 41;             // |t| <= 10

// g(f_j) = sigma(f_j) - Phi(f_j / sqrt(b)) for j = 1, 2, ...
std::array<double, rest_nodes> make_rest() {
  std::array<double, rest_nodes> g;
  for (int j = 0; j < rest_nodes; ++j) {
    const double f = h * (j + 1);
    g[static_cast<std::size_t>(j)] = 0.5 * std::erfc(f / std::sqrt(2 * b)) - sigmoid(-f);
  }
  return g;
}

// Four partial sums, which the processor can add in parallel.
template <std::size_t n>
double sum(const std::array<double, n>& x) {
  double s[4] = {};
  for (std::size_t i = 0; i < n; ++i) s[i % 4] += x[i];
  return (s[0] + s[1]) + (s[2] + s[3]);
}

}  // namespace

// The terms of the sum in (2) times e^(mu^2/2S2 - offset).
INDUCE_MULTIVERSION void rest_terms(const double* g, double mu_over_S2, double S2, double offset,
                                    double* term) {
  const double inverse_2S2 = 0.5 / S2;
  for (int j = 0; j < rest_nodes; ++j) {
    const double f = h * (j + 1);
    const double common = -(f * f * inverse_2S2 + offset);
    term[j] = g[j] * (exp_fast(common + mu_over_S2 * f) - exp_fast(common - mu_over_S2 * f));
  }
}

// h phi(t_j) sigma(m + s t_j)
INDUCE_MULTIVERSION void trapezoid_terms(double m, double s, double* term) {
  for (int j = 0; j < trapezoid_nodes; ++j) {
    const double t = h * (j - 0.5 * (trapezoid_nodes - 1));
    const double weight = h * inverse_sqrt_two_pi * exp_nonpositive(-0.5 * t * t);
    term[j] = weight / (1.0 + exp_fast(-(m + s * t)));
  }
}

namespace {

double sum_of_rest(double mu, double S2, double offset) {
  static const std::array<double, rest_nodes> g = make_rest();
  std::array<double, rest_nodes> term;
  rest_terms(g.data(), mu / S2, S2, offset, term.data());
  return h * inverse_sqrt_two_pi / std::sqrt(S2) * sum(term);
}

// log P for m >= -S2/2.
double log_central(double m, double S2) {
  if (S2 <= 1) {
    std::array<double, trapezoid_nodes> term;
    trapezoid_terms(m, std::sqrt(S2), term.data());
    return std::log(sum(term));
  }
  const double mu = std::abs(m);
  if (m > 800 + 40 * std::sqrt(S2)) return 0;  // 1 - P < 1e-300, and mu / S2 below might overflow
  const double u = mu / std::sqrt(S2 + b);
  const double exponent = 0.5 * mu * (mu / S2);
  if (m >= 0) {  // P >= 1/2, so absolute accuracy suffices
    const double tail = inverse_sqrt_two_pi * std::exp(-0.5 * u * u) * mills_ratio(u);
    return std::log1p(-(tail - sum_of_rest(mu, S2, exponent)));
  }
  const double scaled_tail = inverse_sqrt_two_pi * std::exp(exponent * (b / (S2 + b))) * mills_ratio(u);
  return std::log(scaled_tail - sum_of_rest(mu, S2, 0.0)) - exponent;
}

// log P for m <= 0.
double log_lower(double m, double S2) {
  if (m >= -0.5 * S2) return log_central(m, S2);
  return m + 0.5 * S2 + log_central(-(m + S2), S2);  // (1)
}

}  // namespace

// The larger probability is computed from the smaller one, so P(m) + P(-m) = 1 holds exactly.
double expected_sigmoid(double mean, double variance) {
  const double smaller = std::exp(log_lower(-std::abs(mean), variance));
  return mean < 0 ? smaller : 1.0 - smaller;
}

double log_expected_sigmoid(double mean, double variance) {
  const double log_smaller = log_lower(-std::abs(mean), variance);
  return mean < 0 ? log_smaller : std::log1p(-std::exp(log_smaller));
}

}  // namespace induce::detail
