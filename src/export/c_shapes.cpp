// The table of shapes: one entry each.
//
// Any other Matern kernel, rho = 2^(1-nu)/Gamma(nu) z^nu K_nu(z) with z = sqrt(2 nu) r, takes its Bessel function from
//   K_nu(z) = int_0^inf exp(-z cosh t) cosh(nu t) dt
// by the trapezoid rule. The integrand is analytic for |Im t| < pi/2 and decays doubly exponentially, so a step of 1/16 leaves
// less than rounding wherever rho is not below 1e-17. All factors are in one exponent: z^nu K_nu is 0 times infinity near 0.
#include "export/c_source.hpp"

#include <charconv>
#include <cmath>
#include <string_view>

#include <induce/error.hpp>

#include "export/c_text.hpp"
#include "text/compose.hpp"

namespace induce::detail::c_source {
namespace {

struct Entry {
  std::string_view shape, body;
};

constexpr Entry table[] = {
    {"se", R"(  return exp(-0.5 * r2);
)"},
    {"matern12", R"(  return exp(-sqrt(r2));
)"},
    {"matern32", R"(  const double z = sqrt(3.0 * r2);
  return (1.0 + z) * exp(-z);
)"},
    {"matern52", R"(  const double z = sqrt(5.0 * r2);
  return (1.0 + z + z * z / 3.0) * exp(-z);
)"},
};

// log cosh(nu t) = nu t + log((1 + exp(-2 nu t))/2). The first node has half the weight. Nodes whose exponent is 45 below the
// largest so far end the sum: the exponent has one maximum.
constexpr std::string_view bessel = R"(  /* 2^(1-nu)/Gamma(nu) z^nu K_nu(z), K_nu as an integral over t. */
  const double nu = @NU@, h = 0.0625, z = sqrt(2.0 * nu * r2);
  double sum = 0.0, largest = -1e300;
  int j;
  if (z > 700.0) return 0.0;
  if (z < 1e-8 * (1.0 + nu)) return z > 0.0 && nu < 1.0 ? 1.0 - @CORRECTION@ * pow(0.5 * z, 2.0 * nu) : 1.0;
  for (j = 0; j < 100000; ++j) {
    const double t = h * j;
    const double exponent =
        @LOG_CONSTANT@ + nu * log(z) - z * cosh(t) + nu * t + log(0.5 * (1.0 + exp(-2.0 * nu * t)));
    if (exponent > largest) largest = exponent;
    if (exponent < largest - 45.0) break;
    sum += (j == 0 ? 0.5 : 1.0) * exp(exponent);
  }
  return h * sum;
)";

std::string bessel_body(double nu) {
  // For nu < 1 the first correction near 0, z^(2 nu), is not negligible.
  const double correction = nu < 1 ? std::tgamma(1 - nu) / std::tgamma(1 + nu) : 0;
  return filled(bessel, {{"NU", number(nu)},
                         {"LOG_CONSTANT", "(" + number((1 - nu) * std::log(2.0) - std::lgamma(nu)) + ")"},
                         {"CORRECTION", number(correction)}});
}

std::string body_of(std::string_view shape) {
  for (const Entry& entry : table)
    if (entry.shape == shape) return std::string(entry.body);
  constexpr std::string_view general = "matern:";
  double nu = 0;
  if (shape.starts_with(general))
    std::from_chars(shape.data() + general.size(), shape.data() + shape.size(), nu);
  if (nu == 0.5) return body_of("matern12");
  if (nu == 1.5) return body_of("matern32");
  if (nu == 2.5) return body_of("matern52");
  if (nu > 0) return bessel_body(nu);
  throw data_error("kernel '" + std::string(shape) + "' cannot be written as C");
}

}  // namespace

std::string shape_function(const std::string& shape, const std::string& name) {
  return "static inline double " + name + "(double r2) {\n" + body_of(shape) + "}\n";
}

}  // namespace induce::detail::c_source
