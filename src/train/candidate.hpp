// A fit with one feature map and one kernel, through all stages; each stage starts where the last one ended.
#pragma once

#include <functional>
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
  std::size_t kept_bytes = 0;
  // Estimated seconds until the end without more inducing inputs, from a stage and its pace in seconds per operation.
  std::function<double(const Stage&, double)> seconds_left{};

  const TrainingPlan& plan() const { return context.plan; }
};

class Candidate {
 public:
  // A stage of r rows has the first r of the shuffled rows, counted cyclically from `first_row`.
  Candidate(GrowingFit& fit, const Choice& choice, Index first_row = 0)
      : fit_(&fit), choice_(choice), first_row_(first_row), prior_(kernel_plan().start) {
    if (choice.short_start) shorten_lengthscales();
    point_.prior = prior_;
  }

  // The first stage will start from the inducing inputs, mean and shared parameters of another candidate, which has
  // the same feature map and has completed a stage of the same rows.
  void start_from(const Candidate& other);

  // False if the bound is not finite at the start of the stage, or if stopped before there is a bound; the
  // candidate is then unchanged. If the keeper is resuming, continues this stage where it stopped.
  // `goes_on(best)`: asked when the stage has converged; if false, the stage becomes the last one and continues with the
  // final tolerance.
  bool run(Stage& stage, const std::function<bool(const ProfiledPoint&)>& goes_on = {});
  void archive(Archive& a);  // everything except the stage in progress

  // Of the last stage that succeeded; not ok before that.
  const ProfiledPoint& point() const { return point_; }
  const Choice& choice() const { return choice_; }
  Index first_row() const { return first_row_; }
  bool converged() const { return converged_; }
  Index rows() const { return rows_; }  // of the last stage that succeeded
  // The rows had fewer distinct values than inducing inputs requested.
  bool exhausted() const { return exhausted_; }
  // Estimated seconds for a few evaluations of the stage, from the pace of the last one.
  double estimate(const Stage& stage) const;
  Step step() const;

  // For the rows of the last stage.
  void report_leave_one_out(Report& report);

  // The probabilities of the `count` rows after those of the last stage, and their labels and weights.
  struct HeldOut {
    Vector probability;
    Targets targets;
  };
  HeldOut predict_next(Index count) const;
  // Frees the features of the rows; they are loaded again when needed.
  void forget_rows() { X_.resize(0, 0); }

 private:
  const FeatureMap& feature_map() const { return fit_->plan().maps[choice_.map]; }
  const KernelPlan& kernel_plan() const { return fit_->plan().kernels[choice_.kernel]; }
  std::vector<Index> chosen_rows(Index first, Index count) const;  // indices into the plan's rows
  RowMatrix features_of(const std::vector<Index>& rows) const;
  void shorten_lengthscales();
  void revive_joint_part();
  bool start(ProfiledBound& bound);
  bool has_all(Index rows) const { return fit_->plan().all && rows == fit_->plan().n(); }
  void load_rows(Index rows);
  std::unique_ptr<SiteRows> place_rows(const Stage& stage, Index m);
  void place_inputs(Index m);
  bool must_leave_time(const Stage& stage, double pace) const;

  GrowingFit* fit_;
  Choice choice_;
  Index first_row_;
  Index rows_ = 0;
  RowMatrix X_;  // of the stage
  Targets targets_;
  Prior prior_;          // where the next stage starts
  Fitted start_fitted_;  // a model whose marginals the first stage starts from, if any
  ProfiledPoint point_;
  double seconds_ = 0;  // time at the end of the last stage
  double pace_ = 0;     // seconds per operation
  bool converged_ = false, exhausted_ = false;
  double work_ = 0;    // operations so far, including those of the candidate it started from
  bool warm_ = false;  // started from another candidate
};

}  // namespace induce
