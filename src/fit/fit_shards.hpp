// Fits whose rows are in several processes, or handed out to them (docs/scale.md). The model is that of fit() for the same
// rows.
#pragma once

#include <induce/fit.hpp>

#include "shard/carrier.hpp"

namespace induce::detail {

// The rows that the shards have read.
Fit fit_shards(Carrier& carrier, const Options& options, const Names& names);

// A table of this process: if it is large, shards get a share of its rows.
Fit fit_shards(Carrier& carrier, TableView table, std::span<const int> labels, const Options& options,
               std::span<const double> weights, const Names& names);
Fit fit_shards(Carrier& carrier, SparseView table, std::span<const int> labels, const Options& options,
               std::span<const double> weights, const Names& names);

}  // namespace induce::detail
