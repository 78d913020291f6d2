// The note of a model file with the thresholds of sets of classes: Report::set_thresholds as a list of JSON. Fits leave it, here and
// in Python, unless class weights have moved the probabilities.
#pragma once

#include <string>
#include <vector>

#include <induce/report.hpp>

namespace induce::cli {

inline constexpr const char* set_thresholds_note = "set_thresholds";

std::string thresholds_note(const Report& report);  // empty: none
// Those of a model file; none if it has no such note.
std::vector<double> thresholds_of_model(const std::string& path);

}  // namespace induce::cli
