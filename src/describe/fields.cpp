#include "describe/fields.hpp"

#include <array>

namespace induce::detail {
namespace {

constexpr std::array<ParameterWords, 6> parameters_in_words{{
    {{"signal_std", "", "standard deviation of the latent function"}, "signal std"},
    {{"lengthscales", "", "one shared value or one per feature, in the model's (standardised) units"},
     "length-scale"},
    {{"noise_std", "", "standard deviation of the noise term; 0: no noise term"},
     "noise std",
     "no noise term"},
    {{"mean", "",
      "constant prior mean of the latent function; with three or more classes a list, one per class"},
     "mean"},
    {{"class_scales", "",
      "three or more classes: factor of signal_std for the latent function of each class"},
     "class scale"},
    {{"thresholds", "",
      "ordered classes: where one class ends and the next begins on the latent function, one less than "
      "classes"},
     "threshold"},
}};

}  // namespace

std::span<const ParameterWords> known_parameters() { return parameters_in_words; }

ParameterWords words_of(const Parameter& parameter) {
  for (const ParameterWords& words : parameters_in_words)
    if (words.field.name == parameter.name) return words;
  return {{parameter.name, "", "a parameter of the kernel"}, parameter.name};
}

}  // namespace induce::detail
