#include "model/class_weights.hpp"

#include <cmath>
#include <string>
#include <utility>

#include <induce/error.hpp>

#include "text/words.hpp"

namespace induce::detail {

void check_class_weights(const std::vector<double>& weights, const std::vector<std::string>& classes,
                         const Likelihood& likelihood) {
  if (weights.empty()) return;
  if (weights.size() != classes.size())
    throw usage_error("class_weights has " + std::to_string(weights.size()) + " numbers: must have " +
                      std::to_string(classes.size()) + ", one for each class");
  for (std::size_t c = 0; c < weights.size(); ++c)
    if (!(weights[c] > 0 && std::isfinite(weights[c])))
      throw usage_error("class_weights is " + shortest(weights[c]) + " for class '" + classes[c] +
                        "': must be a number greater than 0");
  if (!likelihood.weights_shift_the_mean())
    throw usage_error("likelihood = " + std::string(likelihood.name()) +
                      ": class weights shift the mean of the logistic and the softmax likelihood only; use "
                      "one of these, or weights of rows");
}

Fitted with_class_weights(Fitted fitted, const std::vector<double>& weights) {
  if (weights.empty()) return fitted;
  Prior& prior = fitted.frame.prior;
  if (prior.classes.empty()) prior.mean += std::log(weights[1]) - std::log(weights[0]);
  double average = 0;
  for (const double weight : weights) average += std::log(weight) / static_cast<double>(weights.size());
  for (std::size_t c = 0; c < prior.classes.size(); ++c)
    prior.classes[c].mean += std::log(weights[c]) - average;
  return fitted;
}

Fitted without_class_weights(Fitted fitted, std::vector<double> weights) {
  for (double& weight : weights) weight = 1 / weight;
  return with_class_weights(std::move(fitted), weights);
}

}  // namespace induce::detail
