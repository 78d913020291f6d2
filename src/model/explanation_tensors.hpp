// The explanation of a model as arrays for its file: the curves of all features one after the other.
#pragma once

#include <string>
#include <vector>

#include <induce/explain.hpp>

namespace induce::detail {

struct ExplanationTensors {
  std::vector<double> points;                      // d: number of values of each curve
  std::vector<double> values, mean, lower, upper;  // all but the values: class after class
  std::vector<double> importance;                  // d x 2, row-major: main, total
  // Of a missing value, d x 3 x functions, row-major: mean, lower, upper; 0 for a column without gaps. Empty if none has gaps.
  std::vector<double> missing;
};

ExplanationTensors pack(const Explanation& explanation);

// Fills `out`. `gaps`: by column; used if there are effects of missing values. Returns the reason why it cannot, to follow
// "the model", or nothing.
std::string unpack(const ExplanationTensors& packed, const std::vector<bool>& gaps, Explanation& out);

// Empty if curves have increasing values within their bands and importance is not negative, else the reason.
std::string flaw_of(const Explanation& explanation);

}  // namespace induce::detail
