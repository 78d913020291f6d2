// Models for programs without this library: as C source, and as plain numbers.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <induce/api.hpp>
#include <induce/model.hpp>

namespace induce {

// One C99 header with `int induce_predict(const double *features, double *probabilities)`: no allocation, no mutable
// state, nothing but math.h. `rows`: how many different ones it was fitted to, for the comment at the top; 0: not known. Throws an Error if
// the header would hold too many numbers. See docs/export.md.
INDUCE_API std::string c_header(const Model& model, std::size_t rows = 0);

// A model as plain numbers, for those who write it in another language. Matrices are row-major; m: inducing inputs, d: features
// of the kernel.
struct PlainModel {
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  // The features of a sparse model are sum_k x[used_columns[k]] * projection[k * width + feature].
  std::vector<std::size_t> used_columns;
  std::vector<double> projection;

  // What a column becomes, as indices of features or `none`. A number is its value; each repeated value, and each frequent
  // level of a category, has a feature that is 1 there and 0 elsewhere.
  struct Column {
    std::size_t value = none, missing = none, other = none, first_level = none;
    std::vector<std::size_t> levels;  // with a feature: first_level, first_level + 1, ...
    std::vector<double> repeated;     // the same of a number
  };
  bool encoded = false;         // false: every column is a number, and features are columns (or projections)
  std::vector<Column> columns;  // if encoded; the value of a missing number is then 0 in the model's units

  // x_model = (psi((x - origin)/unit; exponent) - shift)/scale, d each; psi is the identity if the exponent is 1. Its argument is
  // clamped to +-1e30.
  std::vector<double> warp_origin, warp_unit, warp_exponent;  // empty: no warps
  std::vector<double> shift, scale;

  // k(x, z) = sum of share sum_(g in members) rho( sum_(f in g) (x_f inverse_l_f - z_f inverse_l_f)^2 ); x_f inverse_l_f is
  // clamped to +-1e100.
  struct Summand {
    std::string shape;  // rho: "se", "matern12", "matern32", "matern52" or "matern:NU"
    double share = 0;
    std::vector<std::vector<std::size_t>> members;
    std::vector<double> inverse_l;  // of the features of all members, one after the other
  };
  std::vector<Summand> summands;
  double diagonal = 0;                  // k(x, x)
  std::vector<double> inducing_inputs;  // m x d, in the model's units
  std::vector<double> whitener;         // m x m: L, lower triangular

  // The entries of an axis are its features first, ..., first + count - 1 without `value`, then the knots. A row has the share 1
  // in the entry of a feature that is 1. Otherwise x_value lies between two knots, which share it as on a line, or beyond
  // an end, which has the share 1.
  struct Axis {
    std::size_t first = 0, count = 0, value = none;
    std::vector<double> knots;

    std::size_t size() const { return count - (value != none) + knots.size(); }
  };
  // One or two axes; those of two have the products of their shares, entry (i, j) with the number i size_2 + j. h(x) has the
  // shares of all terms, one after the other.
  std::vector<std::vector<Axis>> terms;

  // With v = L^-1 k: f ~ N(mean + scale (k'alpha + h'beta), scale^2 (diagonal - v'D v + 2 k'Y h + h'S h)).
  struct Function {
    double mean = 0, scale = 1;
    std::vector<double> alpha;  // m
    std::vector<double> D;      // m x m, symmetric
    std::vector<double> beta;   // one for each entry of h
    std::vector<double> Y;      // entries of h x m: Y'
    std::vector<double> S;      // symmetric, its lower triangle: S_ij is at i (i + 1)/2 + j, j <= i
  };
  std::vector<Function> functions;  // one for two or ordered classes, otherwise one for each
  std::vector<double> thresholds;   // of ordered classes: p(y <= k | f) = sigma(thresholds[k] - f)
  double largest_variance = 0;      // no f has a larger one, in units of scale^2

  // A row with a gap in a column whose `gaps` is false, or with more than `most_gaps`, is predicted once with each row of
  // typical values in its gaps, and gets the average. None in models of old versions, and of sparse tables.
  std::vector<double> typical_values;  // draws x columns
  std::size_t draws = 0;
  std::vector<bool> gaps;
  std::size_t most_gaps = 0;
};
INDUCE_API PlainModel plain_model(const Model& model);

}  // namespace induce
