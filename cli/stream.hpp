// Predictions for the rows of DATA, batch by batch, in memory that does not depend on their number.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <induce/model.hpp>

#include "internals.hpp"
#include "read/read_options.hpp"

namespace induce::cli {

struct PredictedBatch {
  const Prediction& prediction;
  const std::vector<int>& y;            // empty if the table has no labels
  const std::vector<std::string>& ids;  // empty if there is no id column
  const std::string& id_name;
  const std::vector<double>& novelty;  // empty unless it is wanted
};

// Calls `use` for one batch after the other. Shows warnings on standard error when all rows were read.
void predict_in_batches(const Model& model, const std::vector<std::string>& files, const ReadOptions& how,
                        int threads, const std::function<void(const PredictedBatch&)>& use,
                        bool novelty = false);

}  // namespace induce::cli
