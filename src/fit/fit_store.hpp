// A fit of rows that are in a store already.
#pragma once

#include <induce/fit.hpp>

#include "store/row_store.hpp"

namespace induce::detail {

// The table must be large (fit_rows.hpp), and the method one whose rows may be elsewhere (methods.hpp).
Fit fit_store(const RowStore& all, const Options& options, const Names& names);

}  // namespace induce::detail
