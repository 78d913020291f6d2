// E[l], E[l'], E[l''] for l = log sigma and f ~ N(m, S2), in closed form.
//
// sigma is a scale mixture of normal distribution functions; twelve terms suffice (Monahan and Stefanski, 1992):
//   sigma(x) ~ sum_k c_k Phi(lambda_k x),   c_k > 0,  sum_k c_k = 1
// The mean of Phi(lambda f) is Phi(m / s) with s^2 = S2 + 1/lambda^2, so with z_k = m / s_k
//   E[l']  = E[sigma(-f)]            = sum_k c_k Phi(-z_k)
//   E[l''] = dE[l']/dm               = -sum_k c_k phi(z_k) / s_k
//   E[l]   = antiderivative of E[l'] = sum_k c_k (m Phi(-z_k) - s_k phi(z_k)),   0 at m = inf
// Each term solves the heat equation, so dE[l]/dS2 = E[l'']/2 without further error. The errors of the three
// are largest at S2 = 0 (an average of errors is at most the largest): 2.2e-10, 0.9e-10 and 2.2e-10. See
// scripts/logistic_mixture.py, which computes c and lambda.
//
// Everything is computed for |m|, without cancellation:  E[l](-m) = E[l](m) - m,  E[l'](-m) = 1 - E[l'](m).
#include "likelihood/logistic.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "likelihood/mills_ratio.hpp"
#include "linalg/multiversion.hpp"
#include "linalg/vector_math.hpp"

namespace induce::detail {
namespace {

constexpr std::size_t terms = 12;
constexpr double mixture_c[terms] = {4.8128431175072132e-05, 0.0021546481729107785, 0.023398269728611035,
                                     0.095369303008176337,   0.19752972617867626,   0.25250413739904864,
                                     0.22231951457666593,    0.13794300686148436,   0.055580312612101779,
                                     0.01207478843647446,    0.0010535862699466161, 2.4578324728741226e-05};
constexpr double lambda[terms] = {1.6671491156727041,  1.3726431561823014,  1.130172150714595,
                                  0.9305388521546446,  0.76617254298488202, 0.63084117165915643,
                                  0.51941448199959228, 0.42766909264356906, 0.35212808926736783,
                                  0.28992901248724029, 0.23871520984171049, 0.19654641287116215};

// 1 / sqrt(a), a > 0: an initial guess from the bits of the exponent, then Newton steps that square its error
// (3e-2, 2e-3, 5e-6, 3e-11, rounding). Takes less than half the time of a square root and a division.
INDUCE_ALWAYS_INLINE double inverse_sqrt(double a) {
  double y = std::bit_cast<double>(0x5fe6eb50c7b537a9u - (std::bit_cast<std::uint64_t>(a) >> 1));
  const double half_a = 0.5 * a;
  y += y * (0.5 - half_a * y * y);
  y += y * (0.5 - half_a * y * y);
  y += y * (0.5 - half_a * y * y);
  y += y * (0.5 - half_a * y * y);
  return y;
}

// The sums over k for at most `chunk` rows; small enough for the L1 cache.
constexpr std::size_t chunk = 128;

struct Sums {
  double inverse_s[chunk];  // of the current k
  double value[chunk];      // E[l] at |m|
  double slope[chunk];      // E[l'] at |m|
  double curvature[chunk];  // E[l'']
};

template <bool derivatives>
INDUCE_ALWAYS_INLINE void add_up(const double* mean, const double* variance, std::size_t rows, Sums& sums) {
  for (std::size_t i = 0; i < rows; ++i) {
    sums.value[i] = 0.0;
    if constexpr (derivatives) sums.slope[i] = sums.curvature[i] = 0.0;
  }
  for (std::size_t k = 0; k < terms; ++k) {
    const double variance_k = 1.0 / (lambda[k] * lambda[k]);
    const double c_k = mixture_c[k] * inverse_sqrt_two_pi;
    // A separate loop: shorter bodies let the processor overlap more rows.
    for (std::size_t i = 0; i < rows; ++i) sums.inverse_s[i] = inverse_sqrt(variance[i] + variance_k);
    for (std::size_t i = 0; i < rows; ++i) {
      const double m = std::abs(mean[i]);
      const double s2 = variance[i] + variance_k;
      const double inverse_s = sums.inverse_s[i];
      const double z = m * inverse_s;
      const double density = c_k * exp_nonpositive(-0.5 * z * z);  // c_k phi(z)
      const double tail = density * mills_ratio(z);                // c_k Phi(-z)
      sums.value[i] += m * tail - s2 * inverse_s * density;
      if constexpr (derivatives) {
        sums.slope[i] += tail;
        sums.curvature[i] -= density * inverse_s;
      }
    }
  }
}

}  // namespace

double sigmoid(double x) {
  const double e = std::exp(-std::abs(x));
  return (x < 0 ? e : 1.0) / (1.0 + e);
}

double log_sigmoid(double x) { return std::min(x, 0.0) - std::log1p(std::exp(-std::abs(x))); }

INDUCE_MULTIVERSION void expected_log_sigmoid(const double* mean, const double* variance, std::size_t count,
                                              double* value, double* slope, double* curvature) {
  Sums sums;
  for (std::size_t first = 0; first < count; first += chunk) {
    const std::size_t rows = std::min(chunk, count - first);
    add_up<true>(mean + first, variance + first, rows, sums);
    for (std::size_t i = 0; i < rows; ++i) {
      const double m = mean[first + i];
      value[first + i] = sums.value[i] + 0.5 * (m - std::abs(m));      // + min(m, 0)
      slope[first + i] = 0.5 - std::copysign(0.5 - sums.slope[i], m);  // 1 - sum where m < 0
      curvature[first + i] = sums.curvature[i];
    }
  }
}

INDUCE_MULTIVERSION void expected_log_sigmoid(const double* mean, const double* variance, std::size_t count,
                                              double* value) {
  Sums sums;
  for (std::size_t first = 0; first < count; first += chunk) {
    const std::size_t rows = std::min(chunk, count - first);
    add_up<false>(mean + first, variance + first, rows, sums);
    for (std::size_t i = 0; i < rows; ++i) {
      const double m = mean[first + i];
      value[first + i] = sums.value[i] + 0.5 * (m - std::abs(m));
    }
  }
}

}  // namespace induce::detail
