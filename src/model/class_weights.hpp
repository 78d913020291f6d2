// Class weights as a shift of the prior. With weights w the odds of the classes are multiplied at every f,
//   p'(c | f) = w_c p(c | f) / sum_k w_k p(k | f),
// as if class c had been w_c times as frequent. For the logistic likelihood this is sigma(f + log(w_1/w_0)), for the softmax
// softmax_c(f + log w): the posterior of f stays what it is, and only its mean moves. The average of log w is taken off,
// which the softmax ignores. Other likelihoods have no such shift.
#pragma once

#include <vector>

#include "core/fitted.hpp"
#include "likelihood/likelihood.hpp"

namespace induce::detail {

// A usage Error unless there is none, or one greater than 0 for each class and the likelihood can be shifted.
void check_class_weights(const std::vector<double>& weights, const std::vector<std::string>& classes,
                         const Likelihood& likelihood);

// The same posterior with its means shifted; without weights nothing changes.
Fitted with_class_weights(Fitted fitted, const std::vector<double>& weights);
// And back.
Fitted without_class_weights(Fitted fitted, std::vector<double> weights);

}  // namespace induce::detail
