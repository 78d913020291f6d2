// The section "What if" of a page: the model as numbers, and what its controls offer.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <induce/model.hpp>

namespace induce::detail {

// A row that the page may start from.
struct ShownRow {
  std::size_t index = 0;
  std::vector<double> values;
};

struct WhatIf {
  std::string json;     // empty: there is none
  std::string why_not;  // then, a sentence
  // A probability differs from the model's by no more, if its variance does not differ by more than at rows of typical values; 0:
  // rounding.
  double difference = 0;
  // The variances are those of a stand-in with so many of the inducing inputs; 0: of all.
  std::size_t variance_inputs = 0;
};

// A middle value of each column, and of levels a most frequent one, as stored with the model.
std::vector<double> typical_row(const Model& model);

// `order`: the columns, most important first; `budget`: bytes.
WhatIf what_if(const Model& model, const std::vector<std::size_t>& order, const std::vector<ShownRow>& rows,
               std::size_t budget);

}  // namespace induce::detail
