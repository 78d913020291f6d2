// LIBSVM files as a table in memory, dense or sparse: all files as one text, with a newline between them.
#pragma once

#include "read/dataset.hpp"
#include "read/read_plan.hpp"

namespace induce::detail {

// Throws an Error.
Dataset read_libsvm(const ReadPlan& plan);

}  // namespace induce::detail
