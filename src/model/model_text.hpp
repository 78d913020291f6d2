// The text of a model file, as JSON under the metadata key "model":
//   {"kernel": .., "likelihood": .., "method": .., "classes": [.., ..], "label": .., "features": [..], "weight": ..,
//    "kinds": [..], "levels": [..], "levels_of_column": [..]}
// Either all features are named or none; "weight" is present if rows had weights; files before version 4 have no
// "likelihood" and are logistic. The last three are present if some column is not a number: the kind of each column, the
// levels of all columns one after the other, and how many levels each column has, as text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <induce/model.hpp>

namespace induce::detail {

struct ModelText {
  Names names;
  std::string kernel, likelihood, method;
};

// Replaces invalid UTF-8. Throws a data Error if both classes then have the same name.
std::string write_model_text(const ModelText& model);

// `features` is the number of features of the model. Throws a JsonFault.
ModelText read_model_text(std::string_view text, std::size_t features);

}  // namespace induce::detail
