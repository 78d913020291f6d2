#include "fit/check_data.hpp"

#include <cmath>
#include <string>

#include <induce/error.hpp>

#include "text/words.hpp"

namespace induce {

void check_data(TableView X, std::span<const int> y, const Names& names) {
  if (X.n == 0 || X.d == 0) throw data_error("the data has no rows or no features");
  if (y.size() != X.n)
    throw data_error("there are " + std::to_string(X.n) + " rows but " + std::to_string(y.size()) +
                     " labels");
  if (!names.features.empty() && names.features.size() != X.d)
    throw data_error("there are " + std::to_string(X.d) + " features but " +
                     std::to_string(names.features.size()) + " feature names");
  std::size_t count[2] = {0, 0};
  for (std::size_t i = 0; i < X.n; ++i) {
    if (y[i] != 0 && y[i] != 1)
      throw data_error("label " + std::to_string(y[i]) + " in row " + std::to_string(i) + ": must be 0 or 1");
    ++count[y[i]];
    for (std::size_t f = 0; f < X.d; ++f)
      if (!std::isfinite(X.row(i)[f]))
        throw data_error("row " + std::to_string(i) + ", feature " + std::to_string(f) +
                         " is not a finite number");
  }
  for (int k : {0, 1})
    if (count[k] == 0)
      throw data_error("all labels are '" + names.classes[1 - k] + "': two classes are needed");
}

void check_weights(std::span<const int> y, std::span<const double> weights) {
  if (weights.empty()) return;
  if (weights.size() != y.size())
    throw data_error("there are " + std::to_string(y.size()) + " rows but " + std::to_string(weights.size()) +
                     " weights");
  bool counts[2] = {false, false};
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (!(weights[i] >= 0 && std::isfinite(weights[i])))
      throw data_error("weight " + shortest(weights[i]) + " in row " + std::to_string(i) +
                       ": must be a number of at least 0");
    counts[y[i]] = counts[y[i]] || weights[i] > 0;
  }
  for (int k : {0, 1})
    if (!counts[k]) throw data_error("all rows of one class have weight 0: two classes are needed");
}

}  // namespace induce
