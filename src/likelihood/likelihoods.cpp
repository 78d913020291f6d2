// The table of likelihoods: one line each.
#include <induce/error.hpp>
#include <induce/options.hpp>

#include "likelihood/logistic_likelihood.hpp"
#include "likelihood/probit_likelihood.hpp"

namespace induce {
namespace {

const LogisticLikelihood logistic;
const ProbitLikelihood probit;

const std::vector<const Likelihood*> table{&logistic, &probit};

}  // namespace

const std::vector<const Likelihood*>& all_likelihoods() { return table; }

const Likelihood& likelihood(std::string_view name) {
  if (name == "auto") return logistic;
  std::string known;
  for (const Likelihood* each : table) {
    if (each->name() == name) return *each;
    known += (known.empty() ? "" : ", ") + std::string(each->name());
  }
  throw usage_error("unknown likelihood '" + std::string(name) + "'; known: " + known);
}

const std::vector<std::string>& likelihood_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all{"auto"};
    for (const Likelihood* each : table) all.emplace_back(each->name());
    return all;
  }();
  return names;
}

}  // namespace induce
