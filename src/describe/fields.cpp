#include "describe/fields.hpp"

#include <array>

namespace induce {
namespace {

constexpr std::array<ParameterWords, 4> parameters_in_words{{
    {{"signal_std", "", "standard deviation of the latent function"}, "signal std"},
    {{"lengthscales", "", "one shared value or one per feature, in the model's (standardised) units"},
     "length-scale"},
    {{"noise_std", "", "standard deviation of the noise term; 0: no noise term"},
     "noise std",
     "no noise term"},
    {{"mean", "", "constant prior mean of the latent function"}, "mean"},
}};

}  // namespace

std::span<const ParameterWords> known_parameters() { return parameters_in_words; }

ParameterWords words_of(const Parameter& parameter) {
  for (const ParameterWords& words : parameters_in_words)
    if (words.field.name == parameter.name) return words;
  return {{parameter.name, "", "a parameter of the kernel"}, parameter.name};
}

}  // namespace induce
