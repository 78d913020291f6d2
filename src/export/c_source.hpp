// The pieces of a C header, each as C source.
#pragma once

#include <string>

#include <induce/export.hpp>

namespace induce::detail::c_source {

// A data Error if its header would be too large.
void check_size(const PlainModel& model);

// The comment on top: which model it is, and what goes into features[].
std::string comment_of(const Model& model, std::size_t rows);

// induce_class_name(), induce_column_name(), and for categories induce_level().
std::string names_of(const Model& model);
// "static void induce_model_units(const double *features, double *x)": table/feature_map.hpp.
std::string units_function(const PlainModel& model);
// induce_predict(): checks values, and averages over what unusual gaps may be (model/predict.cpp).
std::string predict_function(const Model& model, const PlainModel& plain);

// "static void induce_add_joint(const double *x, double *k, double *mean, double *variance)".
std::string joint_function(const PlainModel& model);
// induce_find_entries(), induce_add_terms() and, with a joint term, induce_add_covariance().
std::string terms_functions(const PlainModel& model);
std::size_t entries_of(const PlainModel& model);  // of h that are not 0

// rho(r^2) of kernel/shape.hpp: "static double NAME(double r2) {...}". Throws a data Error for a shape that it does not know.
std::string shape_function(const std::string& shape, const std::string& name);

// "static void induce_probabilities(const double *mean, const double *variance, double *p)", from means and variances of the
// latent functions; p has a number for each class. Two or ordered classes have one latent function, others have one each.
std::string probabilities_of(const std::string& likelihood, const PlainModel& model);
std::string softmax_probabilities(const PlainModel& model);

}  // namespace induce::detail::c_source
