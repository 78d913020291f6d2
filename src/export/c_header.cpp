// A model as one C99 header. For a row x of features, in the letters of docs/math.md:
//   m_c = mean_c + scale_c (k'alpha_c + h'beta_c),
//   S2_c = scale_c^2 max(0, k(x, x) - v'D_c v + 2 k'Y_c h + h'S_c h)               (c_joint.cpp, c_terms.cpp)
// then the probabilities (c_likelihood.cpp).
#include <induce/export.hpp>

#include <string_view>
#include <vector>

#include <induce/error.hpp>

#include "export/c_source.hpp"
#include "export/c_text.hpp"
#include "text/compose.hpp"
#include "text/format.hpp"

namespace induce::detail::c_source {
namespace {

constexpr std::size_t most_numbers = 6'000'000;  // 110 MB, a minute of gcc

constexpr std::string_view begin = R"(#ifndef INDUCE_MODEL_H
#define INDUCE_MODEL_H

#include <math.h>

#define INDUCE_FEATURES @FEATURES@
#define INDUCE_CLASSES @CLASSES@
#define INDUCE_FUNCTIONS @FUNCTIONS@
#define INDUCE_INDUCING @M@
@ENTRIES@#define INDUCE_STACK_BYTES @STACK@

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

constexpr std::string_view marginals = R"(
/* Means and variances of the latent functions, x in the model's units. */
static inline void induce_marginals(const double *x, double *mean, double *variance) {
@ARRAYS@  int c;
@WORK@  for (c = 0; c < INDUCE_FUNCTIONS; ++c) {
    mean[c] = 0.0;
    variance[c] = @DIAGONAL@;
  }
@CALLS@  for (c = 0; c < INDUCE_FUNCTIONS; ++c) {
    mean[c] = scale[c] * mean[c] + prior_mean[c];
    variance[c] = scale[c] * scale[c] * (variance[c] < 0.0 ? 0.0 : variance[c]);
  }
}
)";

constexpr std::string_view complete_row = R"(
/* A row whose gaps the model can judge, or has none. */
static inline int induce_predict_complete(const double *features, double *probabilities) {
  double x[@D@], mean[INDUCE_FUNCTIONS], variance[INDUCE_FUNCTIONS], p[INDUCE_CLASSES], finite = 0.0;
  int c;
  induce_model_units(features, x);
  induce_marginals(x, mean, variance);
  for (c = 0; c < INDUCE_FUNCTIONS; ++c) finite += 0.0 * mean[c] + 0.0 * variance[c];
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

std::string marginals_function(const PlainModel& model) {
  std::vector<double> mean, scale;
  for (const PlainModel::Function& function : model.functions) {
    mean.push_back(function.mean);
    scale.push_back(function.scale);
  }
  const bool joint = inducing(model) > 0, terms = !model.terms.empty();
  const auto if_so = [](bool is_so, const char* text) { return std::string(is_so ? text : ""); };
  return (joint ? joint_function(model) : "") + (terms ? terms_functions(model) : "") +
         filled(
             marginals,
             {{"ARRAYS", array("prior_mean", mean) + array("scale", scale)},
              {"WORK", if_so(joint, "  double k[INDUCE_INDUCING];\n") +
                           if_so(terms, "  double share[INDUCE_ENTRIES];\n  int entry[INDUCE_ENTRIES];\n")},
              {"CALLS", if_so(joint, "  induce_add_joint(x, k, mean, variance);\n") +
                            if_so(terms,
                                  "  induce_find_entries(x, entry, share);\n"
                                  "  induce_add_terms(entry, share, mean, variance);\n") +
                            if_so(joint && terms, "  induce_add_covariance(k, entry, share, variance);\n")},
              {"DIAGONAL", number(model.diagonal)}});
}

// An estimate from above: what the functions keep, and some room.
std::size_t stack_bytes(const PlainModel& model, std::size_t classes, std::size_t columns) {
  const std::size_t for_classes = classes > 2 ? classes * 110 : 0;
  const std::size_t for_gaps = model.draws > 0 ? columns : 0;
  return 8 * (4 * inducing(model) + 2 * entries_of(model) + model.shift.size() * 2 + for_classes + for_gaps +
              4 * classes) +
         2048;
}

}  // namespace

void check_size(const PlainModel& model) {
  const std::size_t m = inducing(model), values = model.functions[0].beta.size();
  std::size_t numbers = m * (m + 1) / 2 + model.projection.size() + model.typical_values.size();
  for (const PlainModel::Function& function : model.functions)
    numbers += m * (m + 1) / 2 + function.Y.size() + function.S.size();
  for (const PlainModel::Summand& part : model.summands) numbers += part.inverse_l.size() * m;
  if (numbers > most_numbers)
    throw data_error("the C header of this model would hold " + std::to_string(numbers) +
                     " numbers; the limit is " + std::to_string(most_numbers) + " (" +
                     counted(m, "inducing input") + " and " + counted(values, "value") +
                     " of terms: fit with fewer inducing inputs, columns or pairs, or export to ONNX)");
}

}  // namespace induce::detail::c_source

std::string induce::c_header(const Model& model, std::size_t rows) {
  using namespace detail;
  using namespace c_source;
  const PlainModel plain = plain_model(model);
  check_size(plain);
  return comment_of(model, rows) +
         filled(begin, {{"FEATURES", std::to_string(model.features())},
                        {"CLASSES", std::to_string(model.classes())},
                        {"FUNCTIONS", std::to_string(plain.functions.size())},
                        {"M", std::to_string(model.inducing())},
                        {"ENTRIES", plain.terms.empty() ? ""
                                                        : "#define INDUCE_ENTRIES " +
                                                              std::to_string(entries_of(plain)) + "\n"},
                        {"STACK", std::to_string(stack_bytes(plain, model.classes(), model.features()))}}) +
         names_of(model) + units_function(plain) + marginals_function(plain) +
         probabilities_of(model.likelihood(), plain) +
         filled(complete_row, {{"D", std::to_string(plain.shift.size())}}) + predict_function(model, plain) +
         std::string(c_source::end);
}
