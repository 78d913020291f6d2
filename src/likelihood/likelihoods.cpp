// The table of likelihoods: one line each, and softmax and ordinal, which have one instance per number of classes.
#include <map>
#include <memory>
#include <mutex>

#include <induce/error.hpp>
#include <induce/options.hpp>

#include "likelihood/logistic_likelihood.hpp"
#include "likelihood/ordinal_likelihood.hpp"
#include "likelihood/probit_likelihood.hpp"
#include "likelihood/softmax_likelihood.hpp"

namespace induce::detail {
namespace {

const LogisticLikelihood logistic;
const ProbitLikelihood probit;

const std::vector<const BinaryLikelihood*> table{&logistic, &probit};

// Lives until the program ends: models refer to it.
template <class Many>
const Likelihood& of_many(std::size_t classes) {
  static std::mutex mutex;
  static std::map<std::size_t, std::unique_ptr<const Many>> made;
  const std::lock_guard lock(mutex);
  auto& instance = made[classes];
  if (!instance) instance = std::make_unique<Many>(static_cast<Index>(classes));
  return *instance;
}

}  // namespace

const std::vector<const BinaryLikelihood*>& binary_likelihoods() { return table; }

const Likelihood& likelihood(std::string_view name, std::size_t classes) {
  if (name == "softmax" || (name == "auto" && classes > 2)) {
    if (classes < 3)
      throw usage_error("likelihood = softmax: it is for three or more classes, and the data has " +
                        std::to_string(classes) + "; use logistic");
    return of_many<SoftmaxLikelihood>(classes);
  }
  if (name == "ordinal" && classes > 2) return of_many<OrdinalLikelihood>(classes);
  if (name == "auto" || name == "ordinal") return logistic;
  std::string known;
  for (const BinaryLikelihood* each : table) {
    if (each->name() == name) {
      if (classes > 2)
        throw usage_error("likelihood = " + std::string(name) + ": it is for two classes, and the data has " +
                          std::to_string(classes) + "; use softmax, or ordinal if they are ordered");
      return *each;
    }
    known += std::string(each->name()) + ", ";
  }
  throw usage_error("unknown likelihood '" + std::string(name) + "'; known: " + known + "softmax, ordinal");
}

}  // namespace induce::detail

const std::vector<std::string>& induce::likelihood_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all{"auto"};
    for (const detail::BinaryLikelihood* each : detail::binary_likelihoods()) all.emplace_back(each->name());
    all.emplace_back("softmax");
    all.emplace_back("ordinal");
    return all;
  }();
  return names;
}
