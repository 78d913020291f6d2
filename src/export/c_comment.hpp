// The comment on top of a C header: which model it is, and what goes into features[].
#pragma once

#include <string>

#include <induce/model.hpp>

namespace induce::detail::c_source {

std::string comment_of(const Model& model, std::size_t rows);

}  // namespace induce::detail::c_source
