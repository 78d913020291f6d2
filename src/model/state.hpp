// What is inside a Model.
#pragma once

#include <memory>
#include <string>

#include <induce/model.hpp>

#include "data/standardizer.hpp"
#include "core/fitted.hpp"

namespace induce::detail {

struct ModelState {
  Names names;
  Standardizer standardizer;
  std::string kernel, method;
  Theta theta;
  std::unique_ptr<Shape> shape;  // fitted.frame points to it
  Fitted fitted;
};

// Theta as users see it, from a frame.
Theta theta_of(const Frame& frame);

std::shared_ptr<const ModelState> make_state(const Names& names, const Standardizer& standardizer,
                                             const std::string& kernel, const std::string& method,
                                             const Fitted& fitted);

}  // namespace induce::detail
