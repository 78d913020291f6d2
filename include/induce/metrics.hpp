// Five measures of the quality of probabilities, as reported by `induce eval` and the JSON summary.
#pragma once

#include <cstddef>
#include <span>

namespace induce {

struct Metrics {
  std::size_t n = 0;    // number of rows, or the sum of their weights, rounded
  double accuracy = 0;  // p > 1/2 predicts class 1; p = 1/2 exactly predicts class 0
  double nll = 0;       // mean of -log p(true class), p clipped to [1e-15, 1 - 1e-15]
  double brier = 0;     // mean of (p - y)^2
  double ece = 0;  // 15 bins of equal width in p: mean |average p - frequency of class 1|, weighted by rows
  double auc = 0;  // area under the ROC curve, ties at half; NaN if a class is absent
};

// `probability` is the probability of class 1, `y` is 0 or 1. Without rows every measure is NaN. Throws an
// Error if the sizes differ, a probability is not in [0, 1] or a label is neither 0 nor 1. A row of weight w
// counts as w rows; without weights each row counts once.
Metrics evaluate(std::span<const double> probability, std::span<const int> y,
                 std::span<const double> weight = {});

}  // namespace induce
