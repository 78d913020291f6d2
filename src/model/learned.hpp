// What a model remembers of what it has learned, so that it can learn more (induce/update.hpp).
#pragma once

#include <vector>

#include <induce/update.hpp>

#include "table/column_moments.hpp"

namespace induce::detail {

struct Learned {
  double rows = 0;  // the sum of the weights of the rows of the fit; 0: an earlier version wrote the model
  std::vector<double> class_weights{};  // by which the means are shifted (class_weights.hpp)
  ColumnMoments moments{};              // of the rows of the fit
  std::vector<PastUpdate> updates{};

  bool known() const { return rows > 0; }
};

}  // namespace induce::detail
