// Model files. Any bytes must give an Error, or a model that predicts valid probabilities, means and variances (or
// throws an Error), whose effects are valid, and which is unchanged when written and read again.
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <induce/error.hpp>
#include <induce/explain.hpp>
#include <induce/model.hpp>

#include "support/require.hpp"
#include "support/valid_hash.hpp"

namespace {

using induce::fuzz::require;

using Values = std::array<double, 7>;
constexpr Values extreme{0, 1, -1, 1e-300, 1e10, -1e200, 1.7e308};
constexpr double gap = std::numeric_limits<double>::quiet_NaN();
constexpr Values levels{0, 1, 1, 0, gap, 1, 0};  // what categories and booleans take

induce::Prediction predict(const induce::Model& model, const Values& values) {
  std::vector<double> rows;
  for (const double x : values)
    for (std::size_t f = 0; f < model.features(); ++f) rows.push_back(f % 2 ? 1 - x : x);
  return model.predict({rows.data(), values.size(), model.features()}, 1);
}

void check_effects(const induce::Explanation& explanation, std::size_t features) {
  require(explanation.effects.size() == features && explanation.importance.size() == features,
          "every feature has an effect and an importance");
  for (const auto& [main, total] : explanation.importance)
    require(main >= 0 && total >= main && std::isfinite(total), "importance is finite and not negative");
  for (const induce::Effect& effect : explanation.effects)
    for (std::size_t g = 0; g < effect.values.size(); ++g) {
      require(std::isfinite(effect.lower[g]) && effect.lower[g] <= effect.mean[g] &&
                  effect.mean[g] <= effect.upper[g] && std::isfinite(effect.upper[g]),
              "effects are within finite bands");
      require(g == 0 || effect.values[g - 1] < effect.values[g], "values increase");
    }
  for (const induce::PairEffect& pair : explanation.pairs) {
    require(pair.first.feature < features && pair.second.feature < features, "pairs are of features");
    require(pair.mean.size() % (pair.first.points() * pair.second.points()) == 0 &&
                pair.lower.size() == pair.mean.size() && pair.upper.size() == pair.mean.size(),
            "a pair has a number at each pair of points");
  }
  for (const induce::TermShare& term : explanation.terms)
    require(term.share >= 0 && term.share <= 1, "shares are shares");
}

void try_explaining(const induce::Model& model) {
  std::vector<double> rows;
  for (const double x : {0.0, 1.0, -1e10})
    for (std::size_t f = 0; f < model.features(); ++f) rows.push_back(f % 2 ? 1 - x : x);
  try {
    check_effects(induce::explain(model, {rows.data(), 3, model.features()}, {}, 1), model.features());
  } catch (const induce::Error&) {
  }
}

// Valid, or an Error; and the same from a model that was written and read.
void try_predicting(const induce::Model& model, const induce::Model& again, const Values& values) {
  try {
    const induce::Prediction first = predict(model, values), second = predict(again, values);
    for (const double p : first.probabilities) require(p >= 0 && p <= 1, "probabilities are in [0, 1]");
    for (const double mean : first.mean) require(std::isfinite(mean), "means are finite");
    for (const double S2 : first.variance)
      require(S2 >= 0 && std::isfinite(S2), "variances are finite and not negative");
    require(first.probabilities == second.probabilities && first.mean == second.mean &&
                first.variance == second.variance,
            "a round trip does not change predictions");
  } catch (const induce::Error&) {
  }
}

void try_model(const std::string& bytes) {
  try {
    const induce::Model model = induce::Model::from_bytes(bytes);
    require(model.classes() >= 2 && model.names().classes[0] != model.names().classes[1],
            "classes have different names");
    require(model.inducing_inputs().size() == model.inducing() * model.input_names().size(),
            "there are m inducing inputs of all inputs");
    if (const induce::Explanation* stored = model.explanation()) check_effects(*stored, model.features());
    if (model.features() <= 20) try_explaining(model);
    const induce::Model again = induce::Model::from_bytes(model.to_bytes());
    try_predicting(model, again, extreme);
    try_predicting(model, again, levels);
  } catch (const induce::Error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  try_model(bytes);
  const std::string rehashed = induce::fuzz::with_valid_hash(bytes);
  if (rehashed != bytes) try_model(rehashed);
  return 0;
}
