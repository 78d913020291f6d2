// How a model does on rows with labels: what the sections of a page about quality show.
#pragma once

#include <cmath>
#include <span>
#include <string>
#include <vector>

#include <induce/page.hpp>

#include "page/intervals.hpp"

namespace induce::detail {

struct Tested {
  std::size_t classes = 2;
  Prediction prediction;
  std::span<const int> y;
  std::vector<int> predicted;
  std::vector<double> top;               // probability of the predicted class
  std::vector<double> true_probability;  // probability of the true class
  std::vector<std::size_t> counts;       // rows of each class
  Estimate accuracy, nll, brier, auc;
  Estimate rps{NAN, NAN, NAN}, level_error{NAN, NAN, NAN};  // of ordered classes (Metrics)
  double ece = 0;
  // What one prediction for all rows would have: the most frequent class, and the class frequencies, of the training rows or, if
  // they are not known, of these rows.
  double base_accuracy = 0, base_nll = 0;
  bool base_of_training = false;

  std::size_t n() const { return y.size(); }
};

// `training`: the weight of each class in the training rows, if it is known. Throws an Error if there is not one valid label for each row.
Tested test_rows(const Model& model, const PageRows& rows, std::span<const double> training, int threads);

}  // namespace induce::detail
