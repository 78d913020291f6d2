// What makes two fits the same: their data and every option that the result depends on.
#pragma once

#include <span>

#include <induce/options.hpp>
#include <induce/table.hpp>

#include "state/checkpoint_file.hpp"

namespace induce {

// The checkpoint of a fit with no state yet.
Checkpoint describe_fit(TableView X, std::span<const int> y, std::span<const double> weights,
                        const Options& options);

}  // namespace induce
