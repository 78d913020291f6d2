// Warnings of values far outside the training data.
#pragma once

#include <string>
#include <vector>

#include <induce/api.hpp>
#include <induce/model.hpp>

namespace induce {

// `rows`: Model::rows_far_outside, or sums of it. Says which columns have such rows, how many, and the end of the range that
// they are beyond; empty if there are none.
INDUCE_API std::string far_values_text(const Model& model, const std::vector<RowsOutside>& rows);

}  // namespace induce
