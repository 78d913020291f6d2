// The table's side of a C header: names, and the way from a row to the model's units.
#pragma once

#include <string>

#include <induce/export.hpp>

namespace induce::detail::c_source {

// induce_class_name(), induce_column_name(), and for categories induce_level().
std::string names_of(const Model& model);
// "static void induce_model_units(const double *features, double *x)": table/feature_map.hpp.
std::string units_function(const PlainModel& model);
// induce_predict(): checks values, and averages over what unusual gaps may be (model/predict.cpp).
std::string predict_function(const Model& model, const PlainModel& plain);

}  // namespace induce::detail::c_source
