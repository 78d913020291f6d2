// One way to fit, followed through the stages: a map of the features, each stage starting where the last one ended.
#pragma once

#include <vector>

#include "train/plan.hpp"
#include "train/profiled_bound.hpp"
#include "train/stages.hpp"

namespace induce {

// What all candidates share.
struct GrowingFit {
  const FitContext& context;
  const std::vector<Index>& order;  // the rows, shuffled: a stage takes the first of them
  long passes = 0;
  double work = 0;
  std::size_t kept_bytes = 0;

  const TrainingPlan& plan() const { return context.plan; }
};

class Candidate {
 public:
  Candidate(GrowingFit& fit, std::size_t map) : fit_(&fit), map_(map), prior_(fit.plan().start) {
    point_.prior = prior_;
  }

  // False if the bound is not finite where the stage starts, or the caller wants to stop before there is one;
  // the candidate is then as it was before. If the keeper is resuming, goes on where this stage was.
  bool run(const Stage& stage);
  void archive(Archive& a);  // all but what belongs to the stage in progress

  const ProfiledPoint& point() const {
    return point_;
  }  // of the last stage that succeeded; not ok before that
  std::size_t map() const { return map_; }
  bool converged() const { return converged_; }
  Index rows() const { return rows_; }  // of the last stage that succeeded
  bool exhausted() const {
    return exhausted_;
  }  // its rows had fewer different values than inducing inputs wanted
  // Seconds that a few evaluations of such a stage would take, by those of the last one.
  double estimate(const Stage& stage) const;
  Step step() const;

  // Of the rows of the last stage, each without itself.
  void report_leave_one_out(Report& report);

 private:
  const FeatureMap& feature_map() const { return fit_->plan().maps[map_]; }
  bool start(ProfiledBound& bound);
  void load_rows(Index rows);
  void place_inputs(Index m);
  bool must_leave_time(const Stage& stage, double pace) const;

  GrowingFit* fit_;
  std::size_t map_;
  Index rows_ = 0;
  RowMatrix X_;  // of the stage
  Targets targets_;
  Prior prior_;  // where the next stage starts
  ProfiledPoint point_;
  double seconds_ = 0;  // when the last stage ended
  double pace_ = 0;     // seconds an operation took
  bool converged_ = false, exhausted_ = false;
};

}  // namespace induce
