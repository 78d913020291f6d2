// What each feature does: its effect on the latent function, with a 95 % band, and its importance; what pairs do; and the share of
// each in the whole.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <induce/api.hpp>
#include <induce/table.hpp>

namespace induce {

class Model;

// The main effect of one feature: the latent function averaged over the other features, minus its mean over the
// feature's own distribution. It is in the units of the latent function: log odds for the logistic likelihood.
// With C >= 3 classes each has an effect: on its latent function minus the average of all C, which the softmax ignores.
struct Effect {
  std::size_t feature = 0;
  // Increasing, in the user's units. A category has the indices of its levels, and the number of levels
  // for all others if rows have them.
  std::vector<double> values;
  // One per value; lower and upper: 95 % band. With C classes the curves one after the other: that of class c begins at
  // c * values.size().
  std::vector<double> mean, lower, upper;
  // The effect of a missing value, one number for each curve; empty unless the training data had gaps in this column.
  std::vector<double> missing_mean{}, missing_lower{}, missing_upper{};
};

// Shares of the variance of the latent function's mean over rows whose feature is drawn anew, independently of the others; with C classes of the sum of the variances.
// At most 1, but they need not add up to 1: interactions count for every feature involved.
struct Importance {
  double main = 0;   // of the feature's main effect
  double total = 0;  // what moving this feature alone changes: main effect and interactions; at least main
};

// What two features do together, beyond the effects of both: averaged over the rows' values of either feature it is 0. Of each
// pair that has a term in the kernel.
struct PairEffect {
  struct Axis {
    std::size_t feature = 0;
    std::vector<double> values;  // as in Effect
    bool missing = false;        // after the values comes a missing value

    std::size_t points() const { return values.size() + missing; }
  };
  Axis first, second;
  // The points of the second axis for the first point of the first, then for the next one; lower and upper: 95 % band. With
  // C classes one surface after the other.
  std::vector<double> mean, lower, upper;
};

// A share of the variation of the latent function over rows: of the effect of a feature, of what two features with a term do
// together, or, without features, of all else that the joint term does.
struct TermShare {
  std::vector<std::size_t> features;  // one, two or none
  double share = 0;
};

struct Explanation {
  std::vector<Effect> effects;         // one per feature, in order
  std::vector<Importance> importance;  // one per feature, in order
  std::vector<PairEffect> pairs{};     // one per pair of the kernel, in order
  // Features, pairs, and the joint term unless the kernel has none. They add up to 1; 0 each, if the latent function is
  // constant; empty if an earlier version wrote the model.
  std::vector<TermShare> terms{};
};

// Effects and importance over these rows: a sample of them if there are many. A fit does the same with its training
// rows and keeps the result (Model::explanation). A row of weight w counts as w rows. threads = 0: all cores; the
// result does not depend on them, nor on the order of the rows. Throws an Error if there is no row, if a number is not
// finite, or if the number of features differs from the model's.
INDUCE_API Explanation explain(const Model& model, TableView rows, std::span<const double> weights = {},
                               int threads = 0);

}  // namespace induce
