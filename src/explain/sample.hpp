// The rows that effects are averaged over, and how many of them are worth their time.
#pragma once

#include <vector>

#include "linalg/types.hpp"
#include "machine/workers.hpp"
#include "table/feature_map.hpp"
#include "store/memory_store.hpp"

namespace induce::detail {

// Rows drawn in proportion to their weights, so that each counts the same: plain averages over any prefix estimate
// averages over the table. In random order.
struct RowSample {
  std::vector<Index> rows;  // of the store
  RowMatrix X;              // the same rows in the model's units

  Index n() const { return X.rows(); }
};

// All rows, each as often as its weight says, if the weights are whole numbers and there are few rows. Needs at least
// one row; does not depend on the number of threads.
RowSample draw_rows(const MemoryStore& rows, const FeatureMap& map, Workers& workers);

// How many rows of the sample each part of an explanation uses.
struct ExplainSizes {
  Index rows = 0;          // importance
  Index permutations = 0;  // of these rows, for the total importance
  Index curve = 0;         // mean of an effect
  Index band = 0;          // band of an effect: costs its square
  Index points = 0;        // of a curve
  bool wide = false;       // save work on features that do not matter
};

struct ExplainProblem {
  Index n = 0;           // rows of the table
  Index sample = 0;      // rows of the sample
  Index m = 0, d = 0;    // d: features
  Index columns = 0;     // 0: as many as features
  Index few = 0;         // columns whose curve has their own few values
  Index few_values = 0;  // the number of these values, over all such features
};

// The largest sizes whose work is a small fraction of a fit's and below about a second of one core. Very wide tables
// get the smallest sizes even if those take longer.
ExplainSizes explain_sizes(const ExplainProblem& problem);

// True if even the smallest sizes would take many seconds: the cost grows with d^2.
bool too_wide_to_explain(const ExplainProblem& problem);

}  // namespace induce::detail
