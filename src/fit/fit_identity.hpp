// The identity of a fit: its data and every option that the result depends on.
#pragma once

#include <span>

#include <induce/model.hpp>
#include <induce/options.hpp>
#include <induce/table.hpp>

#include "fit/plan_fit.hpp"
#include "fit/checkpoint_file.hpp"

namespace induce {

// A checkpoint that describes the fit, without state.
Checkpoint describe_fit(const FitData& data, const Names& names, const Options& options);

}  // namespace induce
