// The confusion matrix of `induce eval`.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <induce/model.hpp>

namespace induce::cli {

struct Confusion {
  const std::vector<std::string>& classes;
  std::vector<std::vector<std::size_t>> counts;  // rows: true class; columns: predicted class
};

// Of predicted and true classes.
Confusion confusion_of(const Model& model, std::span<const int> predicted, std::span<const int> y,
                       std::span<const double> weights = {});

// The matrix, aligned. If it is too wide for names, columns have numbers; with many classes it is a list of the pairs
// that are confused most.
std::string confusion_text(const Confusion& confusion);

}  // namespace induce::cli
