// A fit of one candidate, through all stages; each stage starts where the last one ended.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "train/decide.hpp"
#include "train/doubtful_rows.hpp"
#include "train/grow_terms.hpp"
#include "train/profiled_bound.hpp"
#include "train/row_splits.hpp"
#include "train/staged_fit.hpp"

namespace induce::detail {

class CandidateFit {
 public:
  // A stage of r rows has the first r of the side.
  CandidateFit(StagedFit& fit, const Candidate& candidate, TrainingSide side)
      : fit_(&fit),
        candidate_(candidate),
        side_(std::move(side)),
        layout_(kernel_plan().layout),
        setting_(fit.plan().setting),
        prior_(kernel_plan().start) {
    if (has_terms(kernel_plan().name)) terms_ = TermList(kernel_plan().name, feature_map().columns());
    if (fit.plan().start) begin_at(*fit.plan().start);
    point_.prior = prior_;
  }

  // The first stage will start from the inducing inputs, mean, terms and shared parameters of another candidate, which has
  // the same feature map and table and has completed a stage of the same rows.
  void start_from(const CandidateFit& other);

  // Adds to the stages of the fit. False if the bound is not finite at the start of the stage, or if stopped, or out of time,
  // before there is a bound; the candidate is then unchanged.
  // `another_follows(best)`: asked when the stage has converged; if false, the stage becomes the last one and may
  // continue, unless it does without some rows.
  bool run(StagePlan& stage, const std::function<bool(const ProfiledPoint&)>& another_follows = {});
  // Brings q to the fixed point of its sites at the parameters of the last stage. False if that was stopped.
  bool finish();
  // Makes the candidate a model of base rates: its features have no influence. It needs a learned mean.
  void become_base_rate();
  void archive(Archive& a);  // between two stages

  // Where the last stage that succeeded has ended; not ok before that.
  const ProfiledPoint& point() const { return point_; }
  const Candidate& candidate() const { return candidate_; }
  const TrainingSide& side() const { return side_; }
  // Another side whose kernel is the same, for the stages to come.
  void use(TrainingSide side) { side_ = std::move(side); }
  const Kernel& kernel() const { return *layout_.kernel; }
  bool converged() const { return converged_; }
  Index rows() const { return rows_; }  // of the last stage that succeeded
  // The rows had fewer distinct values than inducing inputs requested.
  bool exhausted() const { return exhausted_; }
  // Estimated seconds for a few evaluations of the stage, from the pace of the last one.
  double estimate(const StagePlan& stage) const;

  // Reports metrics over the rows of the last stage.
  void report_leave_one_out(Report& report);
  // The same with each row left out together with its fold, at the fitted parameters (folds_left_out.cpp).
  void report_folds_left_out(const Folds& folds, Report& report) const;

  // The `count` rows after those of the last stage, each row of the user on its own, and the base rates of the rows that
  // the candidate has used.
  struct HeldOut {
    Vector probability;
    Targets targets;
    std::vector<double> base_rates;

    std::vector<double> losses() const {
      return losses_of({probability.data(), static_cast<std::size_t>(probability.size())}, targets);
    }
  };
  HeldOut predict_next(Index count) const;
  // Frees the features of the rows; they are loaded again when needed.
  void forget_rows() {
    X_.resize(0, 0);
    loaded_ = 0;
  }

 private:
  const FeatureMap& feature_map() const { return fit_->plan().maps[candidate_.map]; }
  const KernelPlan& kernel_plan() const { return (*side_.kernels)[candidate_.kernel]; }
  RowMatrix features_of(const Draw& rows) const;
  Workers& workers() const { return fit_->context.workers; }
  // The kernel, prior and terms of a model that was fitted before.
  void begin_at(const Fitted& start);
  // Terms that the rows of this stage call for; the parameters of those that were there stay.
  void find_terms(const StagePlan& stage);
  // Takes out those that are not worth their work.
  void drop_terms(const StagePlan& stage);
  TermWorth term_worth(const StagePlan& stage, double bound) const;
  ProfiledPoint with_rows(const StagePlan& stage);
  ProfiledPoint mains_alone();
  void use_kernel(const std::string& name);
  bool runs(bool has_model, const std::function<void()>& work);
  bool start(ProfiledBound& bound);
  bool converge();
  bool has_all(Index rows) const { return fit_->plan().all && rows == fit_->plan().n; }
  void load_rows(Index rows);
  // `own`: instead of all rows.
  std::unique_ptr<SiteRows> site_rows(Index rows, Index m, const DoubtfulRows* own = nullptr);
  void place_inputs(Index m);
  bool must_leave_time(const StagePlan& stage, bool thinned, double pace) const;

  StagedFit* fit_;
  Candidate candidate_;
  TrainingSide side_;
  TermList terms_;         // of the last stage
  Layout layout_;          // of the kernel with these
  KernelSetting setting_;  // with their axes
  Index rows_ = 0;         // of the user, in the last stage
  Index loaded_ = 0;       // of the user
  Draw drawn_;             // these, merged
  RowMatrix X_;            // their features
  Targets targets_;
  Prior prior_;          // where the next stage starts
  Fitted start_fitted_;  // a model whose marginals the first stage starts from, if any
  ProfiledPoint point_;
  double pace_ = 0;  // seconds per operation
  bool converged_ = false, exhausted_ = false;
  double work_ = 0;    // operations so far, including those of the candidate it started from
  bool warm_ = false;  // started from another candidate
};

// For checkpoints: indices into the plan are checked.
void archive_trials(Archive a, const TrainingPlan& plan, std::vector<Trial>& trials);
// A fit that there may be none of. `side()`: of its rows, when it is loaded.
void archive_fit(Archive a, StagedFit& fit, std::optional<CandidateFit>& candidate,
                 const std::function<TrainingSide()>& side);

}  // namespace induce::detail
