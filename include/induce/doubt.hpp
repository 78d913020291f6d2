// What kind of doubt predictions have: noise that more rows would not remove, or a lack of knowledge.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <induce/api.hpp>
#include <induce/model.hpp>

namespace induce {

// Matrices are row-major; entropies are in nats.
struct Doubt {
  std::size_t rows = 0, classes = 2;
  // rows x classes: where the probability of each class lies with 95 % under the posterior of the latent functions. Exact for two
  // classes, to a few hundredths for more.
  std::vector<double> low, high;
  // One per row. The entropy H of the predicted probabilities is noise + knowledge: noise = E H(p(f)) is left if the latent
  // functions are known, knowledge = H - E H is what they would tell (the mutual information of label and functions).
  std::vector<double> noise, knowledge;
};

INDUCE_API Doubt doubt(const Model& model, const Prediction& prediction);

// Of each row, from 0 to 1: the share of the prior variance of the latent functions at the row that no inducing input
// explains. Near 1 the row is unlike all training rows, as far as the kernel sees it. Terms do not count: 0 if the kernel has nothing else.
INDUCE_API std::vector<double> novelty(const Model& model, TableView X, int threads = 0);
INDUCE_API std::vector<double> novelty(const Model& model, SparseView X, int threads = 0);

// The smallest set of classes that is right with probability 1 - alpha, for each row and class 1 if it is in the set; ties go to
// the first. `probability` as in Prediction::probabilities, `thresholds`: Report::set_thresholds. Without these, the
// fewest classes whose probabilities add up to at least 1 - alpha. Throws an Error unless 0 < alpha < 1.
INDUCE_API std::vector<char> class_sets(std::span<const double> probability, std::size_t classes,
                                        double alpha, std::span<const double> thresholds = {});

}  // namespace induce
