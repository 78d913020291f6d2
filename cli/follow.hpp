// Rows that arrive one after the other on standard input: each line is answered at once.
#pragma once

#include <functional>

#include <induce/model.hpp>

#include "internals.hpp"
#include "read/read_options.hpp"
#include "stream.hpp"

namespace induce::cli {

// Until standard input ends. The first line may be a header. Calls `use` for each row, and `skip` for a line that cannot be
// predicted, which is reported on standard error with its number. Memory does not depend on the number of lines. A first
// line that is neither a row nor a header for the model is an Error.
void follow_lines(const Model& model, ReadOptions how, const std::function<void(const PredictedBatch&)>& use,
                  const std::function<void()>& skip, bool novelty);

}  // namespace induce::cli
