// A fitted model as the start of a fit of other rows: its kernel, theta, inducing inputs and feature map (Options::start_from).
#pragma once

#include <optional>

#include <induce/options.hpp>

#include "core/fitted.hpp"
#include "kernel/kernel.hpp"
#include "model/state.hpp"

namespace induce::detail {

struct StartModel {
  FeatureMap map;         // of the columns of the new table, with their levels
  KernelSetting setting;  // of its kernel
  Fitted fitted;          // means without class weights
};

// None without the option. An Error unless the columns and classes of the table are those of the model, and no option
// chooses what it brings. `has_gaps`: by column.
std::optional<StartModel> start_model(const Options& options, const Names& names,
                                      const std::vector<char>& has_gaps);

}  // namespace induce::detail
