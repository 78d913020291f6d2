// What a model file says in words, as JSON under the metadata key "model":
//   {"kernel": .., "likelihood": .., "method": .., "classes": [.., ..], "label": .., "features": [..], "weight": ..}
// Features are all named or none; "weight" is there if rows had weights; files before version 4 have no
// "likelihood": theirs is logistic.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <induce/model.hpp>

namespace induce {

struct ModelText {
  Names names;
  std::string kernel, likelihood, method;
};

// What is no UTF-8 is replaced. Throws a data Error if the classes then have one name.
std::string write_model_text(const ModelText& model);

// `features` is the model's number of them. Throws a JsonFault.
ModelText read_model_text(std::string_view text, std::size_t features);

}  // namespace induce
