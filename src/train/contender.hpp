// A map of the features, and the fit in it: one stage after the other, each starting where the last one
// ended.
#pragma once

#include <cmath>

#include "core/pass.hpp"
#include "train/growth.hpp"
#include "train/monitor.hpp"
#include "train/train.hpp"

namespace induce {

class ProfiledBound;

// What all contenders share.
struct Arena {
  const GrowingData& data;
  const TrainingSetup& setup;
  std::uint64_t seed;
  const std::vector<Index>& order;  // the rows, shuffled: a stage takes the first of them
  Workers& workers;
  Monitor& monitor;
  Keeper& keeper;
  Index most_inducing;  // of any stage
  long passes = 0;
  double work = 0;
  std::size_t kept_bytes = 0;
};

class Contender {
 public:
  Contender(Arena& arena, std::size_t map) : arena_(&arena), map_(map), prior_(arena.setup.start) {}

  // False if the bound is not finite where the stage starts, or the caller wants to stop before there is one;
  // the fit is then as it was before.
  // If the keeper is resuming, goes on where this stage was.
  bool fit(const Stage& stage);
  void archive(Archive& a);  // all but what belongs to the stage in progress

  const Fitted& fitted() const { return fitted_; }
  std::size_t map() const { return map_; }
  double elbo() const { return elbo_; }
  double value() const { return value_; }  // the bound with its log prior: what contenders compete by
  double sparsity_price() const { return sparsity_price_; }
  bool converged() const { return converged_; }
  Index rows() const { return rows_; }  // of the last stage that succeeded
  // Seconds that a few evaluations of such a stage would take, by those of the last one.
  double estimate(const Stage& stage) const;
  Step step() const;

  // Of the rows of the last stage, each without itself.
  void leave_one_out(Vector& probability, Targets& targets);

 private:
  const FeatureMap& map_of_features() const { return arena_->data.maps[map_]; }
  bool start(ProfiledBound& bound);
  void load_rows(Index rows);
  void place_inputs(Index m);
  bool must_leave_time(const Stage& stage, double pace) const;

  Arena* arena_;
  std::size_t map_;
  Index rows_ = 0;
  RowMatrix X_;  // of the stage
  Targets targets_;
  Prior prior_;
  Fitted fitted_;  // frame.ok is false before the first stage
  Sites sites_;
  Vector m_, S2_;
  double elbo_ = 0, value_ = -INFINITY, sparsity_price_ = 0, seconds_ = 0;
  double pace_ = 0;  // seconds an operation took
  bool converged_ = false;
};

}  // namespace induce
