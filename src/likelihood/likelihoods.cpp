// The table of likelihoods: one line each.
#include <induce/error.hpp>

#include "likelihood/logistic_likelihood.hpp"

namespace induce {
namespace {

const LogisticLikelihood logistic;

const Likelihood* const table[] = {&logistic};

}  // namespace

const Likelihood& likelihood(std::string_view name) {
  std::string known;
  for (const Likelihood* each : table) {
    if (each->name() == name) return *each;
    known += (known.empty() ? "" : ", ") + std::string(each->name());
  }
  throw usage_error("unknown likelihood '" + std::string(name) + "'; known: " + known);
}

const std::vector<std::string>& likelihood_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const Likelihood* each : table) all.emplace_back(each->name());
    return all;
  }();
  return names;
}

}  // namespace induce
