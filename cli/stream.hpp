// The rows of DATA, batch by batch, in memory that does not depend on their number; and predictions for them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <induce/model.hpp>

#include "internals.hpp"
#include "read/read_options.hpp"

namespace induce::cli {

struct RowBatch {
  TableView X;
  const SparseView* sparse;             // in place of X if the table stays sparse
  const std::vector<int>& y;            // empty if the table has no labels
  const std::vector<double>& weight;    // empty without weights, counts and shares
  const std::vector<std::string>& ids;  // empty if there is no id column
  const std::string& id_name;
};

// Calls `use` for one batch after the other; errors of the library in it, which count the rows of a batch, then count those of
// DATA. Shows warnings on standard error when all rows were read.
void read_in_batches(const Model& model, const std::vector<std::string>& files, const ReadOptions& how,
                     const std::function<void(const RowBatch&)>& use);

struct PredictedBatch {
  const Prediction& prediction;
  const std::vector<int>& y;
  const std::vector<std::string>& ids;
  const std::string& id_name;
  const std::vector<double>& weight;   // empty unless labels are counts or shares
  const std::vector<double>& novelty;  // empty unless it is wanted
};

void predict_in_batches(const Model& model, const std::vector<std::string>& files, const ReadOptions& how,
                        int threads, const std::function<void(const PredictedBatch&)>& use,
                        bool novelty = false);

}  // namespace induce::cli
