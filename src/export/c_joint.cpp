// The joint term of a kernel in C: k_j = k(z_j, x), L v = k, and what it adds to the mean and the variance of each latent function,
//   k'alpha_c and -v'D_c v.
// L and D are stored as their lower triangles, column after column: both loops over them then run over neighbours, without
// sums that a compiler may not reorder.
#include "export/c_source.hpp"

#include <map>
#include <string_view>
#include <vector>

#include "export/c_text.hpp"
#include "text/compose.hpp"

namespace induce::detail::c_source {
namespace {

constexpr std::string_view summand = R"(
/* k[j] += share sum over members of rho(r^2), for all inducing inputs z_j. */
static inline void induce_add_summand@T@(const double *x, double *k) {
@ARRAYS@  double r2[INDUCE_INDUCING];
  int member, f, j, at = 0;
  for (member = 0; member < @MEMBERS@; ++member) {
    for (j = 0; j < INDUCE_INDUCING; ++j) r2[j] = 0.0;
    for (f = 0; f < size[member]; ++f, ++at) {
      const double scaled = induce_clamp(x[feature[at]] * inverse_l[at], 1e100);
      const double *z_f = z + at * INDUCE_INDUCING;
      for (j = 0; j < INDUCE_INDUCING; ++j) r2[j] += (scaled - z_f[j]) * (scaled - z_f[j]);
    }
    for (j = 0; j < INDUCE_INDUCING; ++j) k[j] += @SHARE@ * @RHO@(r2[j]);
  }
}
)";

constexpr std::string_view joint = R"(
/* k, and what the inducing inputs say about the latent functions. */
static inline void induce_add_joint(const double *x, double *k, double *mean, double *variance) {
@ARRAYS@  double v[INDUCE_INDUCING], w[INDUCE_INDUCING];
  int i, j, c;
  const double *column = L;
  for (j = 0; j < INDUCE_INDUCING; ++j) k[j] = 0.0;
@SUMMANDS@  for (j = 0; j < INDUCE_INDUCING; ++j) v[j] = k[j];
  for (j = 0; j < INDUCE_INDUCING; ++j) {
    const double v_j = v[j] /= column[0];
    for (i = j + 1; i < INDUCE_INDUCING; ++i) v[i] -= column[i - j] * v_j;
    column += INDUCE_INDUCING - j;
  }
  column = D;
  for (c = 0; c < INDUCE_FUNCTIONS; ++c) {
    double square = 0.0;
    for (j = 0; j < INDUCE_INDUCING; ++j) w[j] = 0.0;
    for (j = 0; j < INDUCE_INDUCING; ++j) { /* w = D v, with half the diagonal and one triangle: v'w = v'D v / 2 */
      for (i = j; i < INDUCE_INDUCING; ++i) w[i] += column[i - j] * v[j];
      column += INDUCE_INDUCING - j;
    }
    for (j = 0; j < INDUCE_INDUCING; ++j) {
      mean[c] += alpha[c * INDUCE_INDUCING + j] * k[j];
      square += v[j] * w[j];
    }
    variance[c] -= 2.0 * square;
  }
}
)";

std::string summand_functions(const PlainModel& model) {
  std::map<std::string, std::string> rho_of;  // by shape
  std::string text;
  const std::size_t m = model.functions[0].alpha.size(), d = model.shift.size();
  for (std::size_t t = 0; t < model.summands.size(); ++t) {
    const PlainModel::Summand& part = model.summands[t];
    auto [rho, is_new] = rho_of.try_emplace(part.shape, "induce_rho" + std::to_string(rho_of.size()));
    if (is_new)
      text += "\n/* rho(r^2) of " + escaped(part.shape) + " */\n" + shape_function(part.shape, rho->second);
    std::vector<std::size_t> features, sizes;
    for (const auto& member : part.members) {
      features.insert(features.end(), member.begin(), member.end());
      sizes.push_back(member.size());
    }
    std::vector<double> z;
    for (std::size_t at = 0; at < features.size(); ++at)
      for (std::size_t j = 0; j < m; ++j)
        z.push_back(model.inducing_inputs[j * d + features[at]] * part.inverse_l[at]);
    text += filled(summand, {{"T", std::to_string(t)},
                             {"ARRAYS", array("size", sizes) + array("feature", features) +
                                            array("inverse_l", part.inverse_l) + array("z", z)},
                             {"MEMBERS", std::to_string(part.members.size())},
                             {"SHARE", number(part.share)},
                             {"RHO", rho->second}});
  }
  return text;
}

// Column after column of a row-major matrix, from the diagonal down; the diagonal times `diagonal_factor`.
void add_triangle(const std::vector<double>& A, std::size_t m, double diagonal_factor,
                  std::vector<double>& out) {
  for (std::size_t j = 0; j < m; ++j)
    for (std::size_t i = j; i < m; ++i)
      out.push_back(i == j ? diagonal_factor * A[i * m + i] : (A[i * m + j] + A[j * m + i]) * 0.5);
}

}  // namespace

std::string joint_function(const PlainModel& model) {
  const std::size_t m = model.functions[0].alpha.size();
  std::vector<double> L, D, alpha;
  for (std::size_t j = 0; j < m; ++j)
    for (std::size_t i = j; i < m; ++i) L.push_back(model.whitener[i * m + j]);
  for (const PlainModel::Function& function : model.functions) {
    add_triangle(function.D, m, 0.5, D);
    alpha.insert(alpha.end(), function.alpha.begin(), function.alpha.end());
  }
  std::string summands;
  for (std::size_t t = 0; t < model.summands.size(); ++t)
    summands += "  induce_add_summand" + std::to_string(t) + "(x, k);\n";
  return summand_functions(model) +
         filled(joint,
                {{"ARRAYS", array("L", L) + array("D", D) + array("alpha", alpha)}, {"SUMMANDS", summands}});
}

}  // namespace induce::detail::c_source
