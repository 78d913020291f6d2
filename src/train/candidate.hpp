// A fit with one feature map, through all stages; each stage starts where the last one ended.
#pragma once

#include <vector>

#include "train/plan.hpp"
#include "train/profiled_bound.hpp"
#include "train/stages.hpp"

namespace induce {

// State shared by all candidates.
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

  // False if the bound is not finite at the start of the stage, or if stopped before there is a bound; the
  // candidate is then unchanged. If the keeper is resuming, continues this stage where it stopped.
  bool run(const Stage& stage);
  // Evaluates the point of the last stage in full precision, with its sites converged.
  void finish();
  void archive(Archive& a);  // everything except the stage in progress

  // Of the last stage that succeeded; not ok before that.
  const ProfiledPoint& point() const { return point_; }
  std::size_t map() const { return map_; }
  bool converged() const { return converged_; }
  Index rows() const { return rows_; }  // of the last stage that succeeded
  // The rows had fewer distinct values than inducing inputs requested.
  bool exhausted() const { return exhausted_; }
  // Estimated seconds for a few evaluations of the stage, from the pace of the last one.
  double estimate(const Stage& stage) const;
  Step step() const;

  // For the rows of the last stage.
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
  double seconds_ = 0;  // time at the end of the last stage
  double pace_ = 0;     // seconds per operation
  bool converged_ = false, exhausted_ = false;
};

}  // namespace induce
