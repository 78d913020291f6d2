// E[l], E[l'], E[l''] for l = log Phi and f ~ N(m, S2), in closed form.
//
// -l'' falls from 1 at -inf (l is nearly -f^2/2 there, and -l'' = 1 - 1/f^2 + ...) to 0 at +inf, and is
// nearly a mixture of normal distribution functions:
//   -l''(x) ~ sum_k c_k Phi((a_k - x) / s_k),   c_k > 0,  sum_k c_k = 1
// The mean of Phi((a - f) / s) is Phi((a - m) / S) with S^2 = S2 + s^2, so with d_k = a_k - m and
// z_k = d_k / S_k
//   -E[l''] = sum_k c_k Phi(z_k)
//   E[l']   = sum_k c_k e_k,                  e_k = d_k Phi(z_k) + S_k phi(z_k)      (de/dm = -Phi(z))
//   -E[l]   = sum_k c_k v_k / 2,              v_k = d_k e_k + S_k^2 Phi(z_k)         (dv/dm = -2 e)
// all 0 at m = inf. Each term solves the heat equation, so dE[l]/dS2 = E[l'']/2 without further error. The
// errors are largest at S2 = 0 (an average of errors is at most the largest): 2.3e-10 max(1, |l|),
// 2.3e-10 max(1, l') and 2.9e-10 max(1, l'). See scripts/probit_mixture.py, which computes a, s and c. No term
// is negative, so nothing cancels and the signs are correct.
//
// The cost is 59 terms for every mean and variance. A trapezoid rule would need nodes over the whole width of
// N(m, S2), with a step dictated by the zeros of Phi at 1.92 +- 2.82 i; because of the tail 1/f^2 no node on
// the left could be omitted.
#include "likelihood/probit.hpp"

#include <algorithm>
#include <cmath>

#include "likelihood/mills_ratio.hpp"
#include "linalg/multiversion.hpp"
#include "linalg/vector_math.hpp"

namespace induce::detail {
namespace {

struct MixtureTerm {
  double a, s, c;
};

constexpr MixtureTerm mixture[] = {
    {5.3554, 0.56804, 1.4987738316877564e-08}, {4.9506, 0.56804, 8.4395789282812098e-08},
    {4.5458, 0.56804, 2.2673860271529127e-06}, {4.141, 0.56804, 2.1699473829793832e-05},
    {3.7362, 0.56804, 0.00019192980755891834}, {3.3313, 0.56804, 0.0012302505500812423},
    {2.9265, 0.56804, 0.0060660632731223685},  {2.5217, 0.56804, 0.022216553839695556},
    {2.1169, 0.56804, 0.059573247562977875},   {1.7121, 0.56804, 0.1111732538837015},
    {1.3073, 0.56804, 0.13782232150048912},    {0.90243, 0.56804, 0.13472177321065232},
    {0.49762, 0.56804, 0.11544006057534832},   {0.092799, 0.56804, 0.092160060950907979},
    {-0.31202, 0.56804, 0.070778969140601861}, {-0.71684, 0.56804, 0.053653336657084917},
    {-1.1217, 0.56851, 0.039333468879463492},  {-1.5269, 0.57631, 0.030288279802653903},
    {-1.9394, 0.59376, 0.023943188361040518},  {-2.3682, 0.6212, 0.019233429029994812},
    {-2.8227, 0.65933, 0.01564749998579253},   {-3.3137, 0.70926, 0.012845170677614396},
    {-3.8528, 0.77249, 0.010585970434890178},  {-4.4541, 0.85105, 0.0087435201776193128},
    {-5.1343, 0.94753, 0.0071986246298581108}, {-5.9133, 1.0652, 0.0058976368984130258},
    {-6.8158, 1.2084, 0.0047951295498438636},  {-7.8721, 1.3823, 0.0038595249979674747},
    {-9.1202, 1.5936, 0.0030718002439527243},  {-10.608, 1.8508, 0.0024133059431743781},
    {-12.395, 2.1648, 0.0018695977710924592},  {-14.557, 2.5494, 0.0014286025383611202},
    {-17.193, 3.0223, 0.0010755769985267396},  {-20.428, 3.6064, 0.00079759487949905409},
    {-24.425, 4.3312, 0.000582448268538674},   {-29.394, 5.2355, 0.00041887172228777925},
    {-35.613, 6.3698, 0.00029675220449098546}, {-43.448, 7.8009, 0.00020693517561730826},
    {-53.38, 9.6175, 0.00014212003015659836},  {-66.057, 11.937, 9.6095316186907108e-05},
    {-82.344, 14.92, 6.3977231223273588e-05},  {-103.41, 18.779, 4.1923550736881696e-05},
    {-130.85, 23.806, 2.7050118800164916e-05}, {-166.85, 30.401, 1.7171973688215707e-05},
    {-214.41, 39.117, 1.0728048919496967e-05}, {-277.71, 50.717, 6.5936664030888371e-06},
    {-362.6, 66.276, 3.9872841431377738e-06},  {-477.34, 87.303, 2.3705941779005347e-06},
    {-633.62, 115.94, 1.3855916392414728e-06}, {-848.21, 155.27, 7.9618501301889111e-07},
    {-1145.3, 209.72, 4.4948023125252902e-07}, {-1560.1, 285.74, 2.4929530955276133e-07},
    {-2144.1, 392.77, 1.3571642835017754e-07}, {-2973.6, 544.8, 7.2620325087700573e-08},
    {-4162.3, 762.66, 3.8023984161340684e-08}, {-5881.3, 1077.7, 1.9720028748479287e-08},
    {-8390.1, 1537.5, 9.6059661644070561e-09}, {-12086, 2214.9, 5.8341354040551624e-09},
    {-25841, 4735.8, 3.7462040121359322e-09},
};

// The sums over k for at most `strip` rows; small enough for the L1 cache.
constexpr std::size_t strip = 128;

struct StripSums {
  double value[strip];      // -2 E[l]
  double slope[strip];      // E[l']
  double curvature[strip];  // -E[l'']
};

template <bool derivatives>
INDUCE_ALWAYS_INLINE void add_mixture(const double* mean, const double* variance, std::size_t rows,
                                      StripSums& sums) {
  for (std::size_t i = 0; i < rows; ++i) {
    sums.value[i] = 0.0;
    if constexpr (derivatives) sums.slope[i] = sums.curvature[i] = 0.0;
  }
  for (const auto& [a_k, s_k, c_k] : mixture) {
    for (std::size_t i = 0; i < rows; ++i) {
      const double d = a_k - mean[i];
      const double S2 = variance[i] + s_k * s_k;
      const double S = std::sqrt(S2);
      const double z = std::abs(d) / S;
      const double density = inverse_sqrt_two_pi * exp_nonpositive(-0.5 * z * z);  // phi(z)
      const double tail = density * mills_ratio(z);                                // Phi(-|z|)
      const double Phi = 0.5 + std::copysign(0.5 - tail, d);
      const double e = d * Phi + S * density;
      sums.value[i] += c_k * (d * e + S2 * Phi);
      if constexpr (derivatives) {
        sums.slope[i] += c_k * e;
        sums.curvature[i] += c_k * Phi;
      }
    }
  }
}

// Phi(-z) for z >= 0.
double normal_tail(double z) { return inverse_sqrt_two_pi * std::exp(-0.5 * z * z) * mills_ratio(z); }

}  // namespace

// The larger probability is computed from the smaller one, so Phi(x) + Phi(-x) = 1 holds exactly.
double normal_cdf(double x) {
  const double smaller = normal_tail(std::abs(x));
  return x < 0 ? smaller : 1.0 - smaller;
}

double log_normal_cdf(double x) {
  if (x >= 0) return std::log1p(-normal_tail(x));
  return std::log(inverse_sqrt_two_pi * mills_ratio(-x)) - 0.5 * x * x;
}

double expected_normal_cdf(double mean, double variance) {
  return normal_cdf(mean / std::sqrt(1.0 + variance));
}

double log_expected_normal_cdf(double mean, double variance) {
  return log_normal_cdf(mean / std::sqrt(1.0 + variance));
}

// The clamping only guards against rounding.
INDUCE_MULTIVERSION void expected_log_normal_cdf(const double* mean, const double* variance,
                                                 std::size_t count, double* value, double* slope,
                                                 double* curvature) {
  StripSums sums;
  for (std::size_t first = 0; first < count; first += strip) {
    const std::size_t rows = std::min(strip, count - first);
    add_mixture<true>(mean + first, variance + first, rows, sums);
    for (std::size_t i = 0; i < rows; ++i) {
      value[first + i] = -0.5 * std::max(sums.value[i], 0.0);
      slope[first + i] = std::max(sums.slope[i], 0.0);
      curvature[first + i] = -std::min(std::max(sums.curvature[i], 0.0), 1.0);
    }
  }
}

INDUCE_MULTIVERSION void expected_log_normal_cdf(const double* mean, const double* variance,
                                                 std::size_t count, double* value) {
  StripSums sums;
  for (std::size_t first = 0; first < count; first += strip) {
    const std::size_t rows = std::min(strip, count - first);
    add_mixture<false>(mean + first, variance + first, rows, sums);
    for (std::size_t i = 0; i < rows; ++i) value[first + i] = -0.5 * std::max(sums.value[i], 0.0);
  }
}

}  // namespace induce::detail
