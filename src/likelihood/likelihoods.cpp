// The table of likelihoods: one line each, and the softmax, which has one instance per number of classes.
#include <map>
#include <memory>
#include <mutex>

#include <induce/error.hpp>
#include <induce/options.hpp>

#include "likelihood/logistic_likelihood.hpp"
#include "likelihood/probit_likelihood.hpp"
#include "likelihood/softmax_likelihood.hpp"

namespace induce::detail {
namespace {

const LogisticLikelihood logistic;
const ProbitLikelihood probit;

const std::vector<const BinaryLikelihood*> table{&logistic, &probit};

// Lives until the program ends: models refer to it.
const Likelihood& softmax(std::size_t classes) {
  static std::mutex mutex;
  static std::map<std::size_t, std::unique_ptr<const SoftmaxLikelihood>> made;
  const std::lock_guard lock(mutex);
  auto& instance = made[classes];
  if (!instance) instance = std::make_unique<SoftmaxLikelihood>(static_cast<Index>(classes));
  return *instance;
}

}  // namespace

const std::vector<const BinaryLikelihood*>& binary_likelihoods() { return table; }

const Likelihood& likelihood(std::string_view name, std::size_t classes) {
  if (name == "softmax" || (name == "auto" && classes > 2)) {
    if (classes < 3)
      throw usage_error("likelihood = softmax: it is for three or more classes, and the data has " +
                        std::to_string(classes) + "; use logistic");
    return softmax(classes);
  }
  if (name == "auto") return logistic;
  std::string known;
  for (const BinaryLikelihood* each : table) {
    if (each->name() == name) {
      if (classes > 2)
        throw usage_error("likelihood = " + std::string(name) + ": it is for two classes, and the data has " +
                          std::to_string(classes) + "; use softmax");
      return *each;
    }
    known += std::string(each->name()) + ", ";
  }
  throw usage_error("unknown likelihood '" + std::string(name) + "'; known: " + known + "softmax");
}

}  // namespace induce::detail

const std::vector<std::string>& induce::likelihood_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all{"auto"};
    for (const detail::BinaryLikelihood* each : detail::binary_likelihoods()) all.emplace_back(each->name());
    all.emplace_back("softmax");
    return all;
  }();
  return names;
}
