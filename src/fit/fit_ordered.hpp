// A fit of rows that are ordered already, wherever they are.
#pragma once

#include <induce/fit.hpp>

#include "store/ordered_rows.hpp"

namespace induce {

// The table must be large (plan_fit.hpp), and the method one whose rows may be elsewhere (methods.hpp).
Fit fit_ordered(const OrderedRows& rows, const FactsOfRows& facts, const Options& options,
                const Names& names);

}  // namespace induce
