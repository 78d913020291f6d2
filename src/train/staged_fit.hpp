// What the fits of all candidates of a plan share: the order of the rows, and what was found without some of them.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "train/plan.hpp"
#include "train/stages.hpp"

namespace induce::detail {

// What a candidate may know: where its rows begin, and what was found without those that are held out to judge it.
struct TrainingSide {
  Index first_row = 0;  // of the shuffled rows, which are counted cyclically
  std::shared_ptr<const std::vector<KernelPlan>> kernels;  // in the order of TrainingPlan::kernels
  TableView table;                                         // with the features of all rows
  std::shared_ptr<const RowMatrix> own_table{};  // what `table` shows, if it is not the user's table
};

// What the fits of all candidates share.
struct StagedFit {
  const FitContext& context;
  const std::vector<Index>& order;  // the user's rows, shuffled: a stage takes the first of them
  std::vector<Stage> stages{};      // that succeeded, of all candidates
  long passes = 0;
  std::size_t kept_bytes = 0;
  // Estimated seconds until the end without more inducing inputs, from a stage and its pace in seconds per operation.
  std::function<double(const StagePlan&, double)> seconds_left{};

  const TrainingPlan& plan() const { return context.plan; }
  Index functions() const { return plan().likelihood.latent_functions(); }
  Index row_at(Index k) const { return order[static_cast<std::size_t>(k) % order.size()]; }
  // `count` of the shuffled rows from `first` on.
  Draw draw(Index first, Index count) const;
  // Whether what comes before the final fit has taken its share of the time, if that is limited.
  bool must_leave_time(double share) const;
  TrainingSide all_rows() const;
  // `count` shuffled rows from `held_out` on are held out; the rows of a stage begin at `first_row`.
  TrainingSide without(Index held_out, Index count, Index first_row) const;
};

}  // namespace induce::detail
