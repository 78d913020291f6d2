// The identity of a fit: its data and every option that the result depends on.
#pragma once

#include <induce/options.hpp>

#include "fit/fit_rows.hpp"
#include "fit/checkpoint_file.hpp"

namespace induce::detail {

// A checkpoint that describes the fit, without state.
Checkpoint describe_fit(const FitRows& data, const Options& options);

}  // namespace induce::detail
