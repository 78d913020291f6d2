// Likelihoods as C source: from means and variances of the latent functions to probabilities.
#pragma once

#include <string>

#include <induce/export.hpp>

namespace induce::detail::c_source {

// Defines "static void induce_probabilities(const double *mean, const double *variance, double *p)", where p has a number for
// each class. Two classes have one latent function, more have one each.
std::string probabilities_of(const std::string& likelihood, const PlainModel& model);
std::string softmax_probabilities(const PlainModel& model);

}  // namespace induce::detail::c_source
