// A model as one C99 header. For a row x of features, in the letters of docs/math.md:
//   k_j = sum over the terms of the kernel,   L v = k,   m_c = mean_c + scale_c k'alpha_c,
//   S2_c = scale_c^2 max(0, k(x, x) - v'D_c v),
// then the probabilities (c_likelihood.cpp). L and D are stored as their lower triangles, column after column: both loops over
// them then run over neighbours, without sums that a compiler may not reorder.
#include <induce/export.hpp>

#include <map>
#include <string_view>
#include <vector>

#include <induce/error.hpp>

#include "export/c_source.hpp"
#include "export/c_text.hpp"
#include "text/compose.hpp"

namespace induce::detail::c_source {
namespace {

constexpr std::size_t most_numbers = 10'000'000;

constexpr std::string_view begin = R"(#ifndef INDUCE_MODEL_H
#define INDUCE_MODEL_H

#include <math.h>

#define INDUCE_FEATURES @FEATURES@
#define INDUCE_CLASSES @CLASSES@
#define INDUCE_INDUCING @M@
#define INDUCE_STACK_BYTES @STACK@

#define INDUCE_INFINITE_VALUE 1
#define INDUCE_MISSING_VALUE 2
#define INDUCE_NOT_FINITE 3

/* Functions for the program, which may not use all of them. */
#if defined(__GNUC__)
#define INDUCE_FUNCTION static inline __attribute__((unused))
#else
#define INDUCE_FUNCTION static inline
#endif

static inline double induce_clamp(double x, double limit) { return x > limit ? limit : x < -limit ? -limit : x; }
)";

constexpr std::string_view term = R"(
/* k[j] += share sum over members of rho(r^2), for all inducing inputs z_j. */
static inline void induce_add_term@T@(const double *x, double *k) {
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

constexpr std::string_view marginals = R"(
/* Means and variances of the latent functions, x in the model's units. */
static inline void induce_marginals(const double *x, double *mean, double *variance) {
@ARRAYS@  double k[INDUCE_INDUCING], v[INDUCE_INDUCING], w[INDUCE_INDUCING];
  int i, j, c;
  const double *column = L;
  for (j = 0; j < INDUCE_INDUCING; ++j) k[j] = 0.0;
@TERMS@  for (j = 0; j < INDUCE_INDUCING; ++j) v[j] = k[j];
  for (j = 0; j < INDUCE_INDUCING; ++j) {
    const double v_j = v[j] /= column[0];
    for (i = j + 1; i < INDUCE_INDUCING; ++i) v[i] -= column[i - j] * v_j;
    column += INDUCE_INDUCING - j;
  }
  column = D;
  for (c = 0; c < @FUNCTIONS@; ++c) {
    double product = 0.0, square = 0.0;
    for (j = 0; j < INDUCE_INDUCING; ++j) w[j] = 0.0;
    for (j = 0; j < INDUCE_INDUCING; ++j) { /* w = D v, with half the diagonal and one triangle: v'w = v'D v / 2 */
      for (i = j; i < INDUCE_INDUCING; ++i) w[i] += column[i - j] * v[j];
      column += INDUCE_INDUCING - j;
    }
    for (j = 0; j < INDUCE_INDUCING; ++j) {
      product += alpha[c * INDUCE_INDUCING + j] * k[j];
      square += v[j] * w[j];
    }
    square = @DIAGONAL@ - 2.0 * square;
    mean[c] = scale[c] * product + prior_mean[c];
    variance[c] = scale[c] * scale[c] * (square < 0.0 ? 0.0 : square);
  }
}
)";

constexpr std::string_view complete_row = R"(
/* A row whose gaps the model can judge, or has none. */
static inline int induce_predict_complete(const double *features, double *probabilities) {
  double x[@D@], mean[@FUNCTIONS@], variance[@FUNCTIONS@], p[INDUCE_CLASSES], finite = 0.0;
  int c;
  induce_model_units(features, x);
  induce_marginals(x, mean, variance);
  for (c = 0; c < @FUNCTIONS@; ++c) finite += 0.0 * mean[c] + 0.0 * variance[c];
  if (finite != 0.0) return INDUCE_NOT_FINITE;
  induce_probabilities(mean, variance, p);
  for (c = 0; c < INDUCE_CLASSES; ++c)
    if (!(p[c] >= 0.0 && p[c] <= 1.0)) return INDUCE_NOT_FINITE;
  for (c = 0; c < INDUCE_CLASSES; ++c) probabilities[c] = p[c];
  return 0;
}
)";

constexpr std::string_view end = R"(
#endif
)";

std::size_t inducing(const PlainModel& model) { return model.functions[0].alpha.size(); }

std::string term_functions(const PlainModel& model) {
  std::map<std::string, std::string> rho_of;  // by shape
  std::string text;
  const std::size_t m = inducing(model), d = model.shift.size();
  for (std::size_t t = 0; t < model.terms.size(); ++t) {
    const PlainModel::Term& part = model.terms[t];
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
    text += filled(term, {{"T", std::to_string(t)},
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

std::string marginals_function(const PlainModel& model) {
  const std::size_t m = inducing(model);
  std::vector<double> L, D, alpha, mean, scale;
  for (std::size_t j = 0; j < m; ++j)
    for (std::size_t i = j; i < m; ++i) L.push_back(model.whitener[i * m + j]);
  for (const PlainModel::Function& function : model.functions) {
    add_triangle(function.D, m, 0.5, D);
    alpha.insert(alpha.end(), function.alpha.begin(), function.alpha.end());
    mean.push_back(function.mean);
    scale.push_back(function.scale);
  }
  std::string terms;
  for (std::size_t t = 0; t < model.terms.size(); ++t)
    terms += "  induce_add_term" + std::to_string(t) + "(x, k);\n";
  return filled(marginals, {{"ARRAYS", array("L", L) + array("D", D) + array("alpha", alpha) +
                                           array("prior_mean", mean) + array("scale", scale)},
                            {"TERMS", terms},
                            {"FUNCTIONS", std::to_string(model.functions.size())},
                            {"DIAGONAL", number(model.diagonal)}});
}

void check_size(const PlainModel& model) {
  const std::size_t m = inducing(model);
  std::size_t numbers =
      (model.functions.size() + 1) * m * (m + 1) / 2 + model.projection.size() + model.typical_values.size();
  for (const PlainModel::Term& part : model.terms) numbers += part.inverse_l.size() * m;
  if (numbers > most_numbers)
    throw data_error("the C header of this model would hold " + std::to_string(numbers) +
                     " numbers; the limit is " + std::to_string(most_numbers) +
                     " (fewer inducing inputs or columns need fewer)");
}

// An estimate from above: what the functions keep, and some room.
std::size_t stack_bytes(const PlainModel& model, std::size_t classes, std::size_t columns) {
  const std::size_t for_classes = classes > 2 ? classes * 110 : 0;
  const std::size_t for_gaps = model.draws > 0 ? columns : 0;
  return 8 * (4 * inducing(model) + model.shift.size() * 2 + for_classes + for_gaps + 4 * classes) + 2048;
}

}  // namespace
}  // namespace induce::detail::c_source

std::string induce::c_header(const Model& model, std::size_t rows) {
  using namespace detail;
  using namespace c_source;
  const PlainModel plain = plain_model(model);
  check_size(plain);
  const std::string functions = std::to_string(plain.functions.size());
  return comment_of(model, rows) +
         filled(begin, {{"FEATURES", std::to_string(model.features())},
                        {"CLASSES", std::to_string(model.classes())},
                        {"M", std::to_string(model.inducing())},
                        {"STACK", std::to_string(stack_bytes(plain, model.classes(), model.features()))}}) +
         names_of(model) + units_function(plain) + term_functions(plain) + marginals_function(plain) +
         probabilities_of(model.likelihood(), plain) +
         filled(complete_row, {{"D", std::to_string(plain.shift.size())}, {"FUNCTIONS", functions}}) +
         predict_function(model, plain) + std::string(c_source::end);
}
