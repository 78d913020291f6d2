// The terms of a kernel in C (term/terms.hpp): the entries of h that are not 0, two for a column and four for a pair, and what
// they add to the mean and the variance of each latent function,
//   h'beta_c,   h'S_c h,   and with the joint term 2 k'Y_c h.
// Entries increase, so that S is its lower triangle, row after row, with half the diagonal: h'S h is twice what one loop adds up.
// S is rounded to a power of ten, at most 1e-13 of its largest number: a fourth less text.
#include "export/c_source.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "export/c_text.hpp"
#include "text/compose.hpp"

namespace induce::detail::c_source {
namespace {

constexpr std::string_view entries = R"(
/* Where a row is on an axis: at entry k, or between entries k and k + 1. axis: the first of its features, how many, which one is the
   number, its knots. Features that are no number are entries before the knots. */
static inline double induce_position(const double *x, const int *axis, const double *knot) {
  int f, level = 0, low = 0, high = axis[3];
  for (f = axis[0]; f < axis[0] + axis[1]; ++f) {
    if (f == axis[2]) continue;
    if (x[f] > 0.5) return level;
    ++level;
  }
  if (high == 0) return 0.0;
  if (!(x[axis[2]] > knot[0])) return level;
  while (high - low > 1) { /* knot[low] <= x < knot[high], if that exists */
    const int middle = (low + high) / 2;
    if (x[axis[2]] < knot[middle])
      high = middle;
    else
      low = middle;
  }
  if (high == axis[3]) return level + low;
  return level + low + (x[axis[2]] - knot[low]) / (knot[high] - knot[low]);
}

/* The entries of all terms that are not 0, and their shares. */
static inline void induce_find_entries(const double *x, int *entry, double *share) {
@ARRAYS@  int term, a = 0, i;
  for (term = 0; term < @TERMS@; ++term) {
    int made = 1;
    entry[0] = 0;
    share[0] = 1.0;
    for (; a < end[term]; ++a, made *= 2) {
      const int *axis = axes + 5 * a;
      const int size = axis[1] - (axis[2] >= 0) + axis[3];
      const double position = induce_position(x, axis, knots + axis[4]);
      int k = (int)position;
      if (k > size - 2) k = size - 2;
      for (i = made - 1; i >= 0; --i) {
        const double right = share[i] * (position - k);
        entry[2 * i + 1] = entry[i] * size + k + 1;
        entry[2 * i] = entry[2 * i + 1] - 1;
        share[2 * i + 1] = right;
        share[2 * i] = share[i] - right;
      }
    }
    for (i = 0; i < made; ++i) entry[i] += first[term];
    entry += made;
    share += made;
  }
}
)";

constexpr std::string_view of_terms = R"(
static inline void induce_add_terms(const int *entry, const double *share, double *mean, double *variance) {
@ARRAYS@  int c, i, j;
  for (c = 0; c < INDUCE_FUNCTIONS; ++c)
    for (i = 0; i < INDUCE_ENTRIES; ++i) {
      const double *row = S + c * (@VALUES@ * (@VALUES@ + 1) / 2) + entry[i] * (entry[i] + 1) / 2;
      double sum = 0.0;
      for (j = 0; j <= i; ++j) sum += row[entry[j]] * share[j];
      mean[c] += beta[c * @VALUES@ + entry[i]] * share[i];
      variance[c] += 2.0 * share[i] * sum;
    }
}
)";

constexpr std::string_view of_both = R"(
static inline void induce_add_covariance(const double *k, const int *entry, const double *share, double *variance) {
@ARRAYS@  int c, i, j;
  for (c = 0; c < INDUCE_FUNCTIONS; ++c)
    for (i = 0; i < INDUCE_ENTRIES; ++i) {
      const double *column = Y + (c * @VALUES@ + entry[i]) * INDUCE_INDUCING;
      double sum = 0.0;
      for (j = 0; j < INDUCE_INDUCING; ++j) sum += column[j] * k[j];
      variance[c] += 2.0 * share[i] * sum;
    }
}
)";

// Of the rows of a lower triangle, the diagonal halved.
std::vector<double> rounded_triangle(std::vector<double> S) {
  double largest = 0;
  for (const double s : S) largest = std::max(largest, std::fabs(s));
  const double tens = std::clamp(13 - std::floor(std::log10(std::max(largest, 1e-9))), 0.0, 22.0);
  const double per_unit = std::pow(10.0, tens);
  for (std::size_t i = 0, at = 0; at < S.size(); at += ++i + 1) S[at] *= 0.5;
  for (double& s : S) s = std::nearbyint(s * per_unit) / per_unit;
  return S;
}

std::string entries_function(const PlainModel& model) {
  std::vector<std::size_t> axes, ends, first{0};
  std::vector<double> knots;
  for (const std::vector<PlainModel::Axis>& term : model.terms) {
    std::size_t size = 1;
    for (const PlainModel::Axis& axis : term) {
      axes.insert(axes.end(), {axis.first, axis.count, axis.value, axis.knots.size(), knots.size()});
      knots.insert(knots.end(), axis.knots.begin(), axis.knots.end());
      size *= axis.size();
    }
    ends.push_back(axes.size() / 5);
    first.push_back(first.back() + size);
  }
  return filled(entries, {{"ARRAYS", array("axes", axes) + array("end", ends) + array("first", first) +
                                         array("knots", knots)},
                          {"TERMS", std::to_string(model.terms.size())}});
}

}  // namespace

std::size_t entries_of(const PlainModel& model) {
  std::size_t count = 0;
  for (const std::vector<PlainModel::Axis>& term : model.terms) count += term.size() == 1 ? 2 : 4;
  return count;
}

std::string terms_functions(const PlainModel& model) {
  std::vector<double> beta, S, Y;
  for (const PlainModel::Function& function : model.functions) {
    const std::vector<double> rounded = rounded_triangle(function.S);
    beta.insert(beta.end(), function.beta.begin(), function.beta.end());
    S.insert(S.end(), rounded.begin(), rounded.end());
    Y.insert(Y.end(), function.Y.begin(), function.Y.end());
  }
  const std::string values = std::to_string(model.functions[0].beta.size());
  return entries_function(model) +
         filled(of_terms, {{"ARRAYS", array("beta", beta) + array("S", S)}, {"VALUES", values}}) +
         (Y.empty() ? "" : filled(of_both, {{"ARRAYS", array("Y", Y)}, {"VALUES", values}}));
}

}  // namespace induce::detail::c_source
