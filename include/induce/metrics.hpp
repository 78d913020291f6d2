// Measures of the quality of probabilities, as reported by `induce eval` and the JSON summary.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include <induce/api.hpp>

namespace induce {

// p is the probability of class 1 of two. With more classes: that of the predicted class in `ece`, of each class else.
struct Metrics {
  std::size_t n = 0;    // number of rows, or the sum of their weights, rounded
  double accuracy = 0;  // the most probable class is predicted, the first of several
  double nll = 0;       // mean of -log p(true class), p clipped to [1e-15, 1 - 1e-15]
  double nll_error =
      0;  // standard error of this mean, for rows drawn independently; NaN if there are fewer than two
  double brier =
      0;           // mean of (p - y)^2; with more than two classes the sum over classes of (p_c - [y = c])^2
  double ece = 0;  // 15 bins of equal width in p: mean |average p - frequency of the class|, weighted by rows
  double auc =
      0;  // area under the ROC curve, ties at half; NaN if a class is absent. With more than two classes
          // the mean over classes, each against all others; absent ones do not count

  // Of ordered classes, NaN otherwise. The ranked probability score: mean of sum_k (p(y <= k) - [y <= k])^2 / (C - 1), from 0 to 1.
  // The error in levels: mean of |predicted class - y|, which counts how many classes lie between.
  double rps = std::numeric_limits<double>::quiet_NaN(),
         level_error = std::numeric_limits<double>::quiet_NaN();
};

// `probability` is the probability of class 1, `y` is 0 or 1. Without rows, or if all have weight 0, every measure is NaN.
// Throws an Error if the sizes differ, a probability is not in [0, 1], a label is neither 0 nor 1, or a weight is negative
// or not finite. A row of weight w counts as w rows; without weights each row counts once.
INDUCE_API Metrics evaluate(std::span<const double> probability, std::span<const int> y,
                            std::span<const double> weight = {});

// The same for any number of classes: `probability` has `classes` numbers per row, row-major, that add up to 1, as in
// Prediction::probabilities, and y is the index of a class. `ordered`: the classes are, and there are more than two.
INDUCE_API Metrics evaluate(std::span<const double> probability, std::span<const int> y, std::size_t classes,
                            std::span<const double> weight = {}, bool ordered = false);

// The class predicted for each row from the same probabilities, one for each row and class: the most probable, the first of
// several.
INDUCE_API std::vector<int> most_probable(std::span<const double> probability, std::size_t classes);

// The expected level of each row: the mean of the number of its class, which is 1 for the first.
INDUCE_API std::vector<double> expected_levels(std::span<const double> probability, std::size_t classes);

// Weights of the rows of each true class (a row of the matrix) that are predicted as each class (a column), row-major.
INDUCE_API std::vector<double> confusion(std::span<const int> predicted, std::span<const int> y,
                                         std::size_t classes, std::span<const double> weight = {});

}  // namespace induce
