#include "train/cross_validation.hpp"

#include <algorithm>
#include <cmath>

#include <induce/metrics.hpp>

#include "text/format.hpp"

namespace induce::detail {
namespace {

constexpr Index fewest_to_fold = 4;  // rows outside the largest class: fewer cannot be in every fold
// Nats that the features must gain over the base rate: odds of 100 to 1, which labels without signal reach in less than one
// table of a hundred.
const double evidence = std::log(100.0);
// What they may take of the time of a fit that has a limit. The final fit of a small table takes little.
constexpr double share_of_choice = 0.3, share_of_folds = 0.8;
constexpr int most_iterations = 200;  // of a candidate: all of them must leave some of the fit's limit
constexpr double patient_passes = 20;
constexpr double no_matter = 0.01;  // nats: a difference of NLLs that is not worth a warning
// What chi squared with k degrees of freedom exceeds once in a thousand times (Wilson and Hilferty).
double unlikely_chi_squared(double k) {
  const double variance = 2 / (9 * k);
  return k * std::pow(1 - variance + 3.09 * std::sqrt(variance), 3);
}

}  // namespace

bool CrossValidation::needed(const TrainingPlan& plan, const StagePlan& first) {
  return !plan.all && first.rows == plan.n && plan.maps.size() * plan.kernels.size() > 1 &&
         plan.rows_outside_largest_class() >= fewest_to_fold;
}

CrossValidation::CrossValidation(StagedFit& fit, const StagePlan& first, Folds folds)
    : fit_(fit), stage_(first), folds_(std::move(folds)) {
  const TrainingPlan& plan = fit.plan();
  stage_.last = true;  // a plateau of two iterations ends other stages, and here nothing would repair that
  stage_.max_iter = most_iterations;
  // A cold start may gain little in its first few iterations. The patience of a last stage would let each candidate run
  // for hundreds of them.
  stage_.patience = patient_passes * work_of_pass(plan.n, first.m, plan.maps[0].features(), fit.functions());
}

TrainingSide CrossValidation::side() const {
  if (side_ == 0) return fit_.all_rows();
  return fit_.without(folds_.first(side_ - 1), folds_.rows(side_ - 1), folds_.first(side_));
}

// All candidates of a side. False if the fit must stop.
bool CrossValidation::run_side() {
  const TrainingPlan& plan = fit_.plan();
  const TrainingSide now = side();
  stage_.rows = side_ == 0 ? plan.n : plan.n - folds_.rows(side_ - 1);
  while (!fit_.must_leave_time(side_ == 0 ? share_of_choice : share_of_folds) || (side_ == 0 && !best_)) {
    const std::optional<Candidate> next = next_by_bound(trials_, plan.maps.size(), *now.kernels);
    if (!next) return true;
    CandidateFit candidate(fit_, *next, now);
    Trial& trial =
        trials_.emplace_back(Trial{.candidate = *next, .family = plan.kernels[next->kernel].family});
    if (candidate.run(stage_)) {
      trial.bound = candidate.point().value;
      candidate.forget_rows();
    }
    if (decide(trials_) == &trial) best_ = std::move(candidate);
    if (fit_.context.monitor.must_stop()) return false;
    fit_.context.monitor.end_of_stage(fit_.context.saver);
  }
  return false;
}

void CrossValidation::predict_fold() {
  const Index count = folds_.rows(side_ - 1);
  const CandidateFit::HeldOut found = best_->predict_next(count);
  const auto append = [](std::vector<double>& to, const auto& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  append(probability_, found.probability);
  append(label_, found.targets.y);
  append(weight_, found.targets.weight);
  for (Index i = 0; i < count; ++i) {
    if (fit_.functions() == 1)
      base_rate_.push_back(found.base_rates[1]);
    else
      append(base_rate_, found.base_rates);
  }
}

void CrossValidation::run() {
  for (; side_ <= folds_.count(); ++side_) {
    const bool all_ran = run_side();
    if (side_ == 0) {
      chosen_ = std::move(best_);
      trials_of_all_ = trials_;
    }
    if (fit_.context.monitor.must_stop() || (side_ > 0 && (!all_ran || !best_))) break;
    if (side_ > 0) predict_fold();
    best_.reset();
    trials_.clear();
  }
}

bool CrossValidation::complete() const { return static_cast<Index>(label_.size()) == folds_.rows(); }

Metrics CrossValidation::metrics(const std::vector<double>& probability, Index first, Index count) const {
  const Targets targets(Eigen::Map<const Vector>(label_.data() + first, count),
                        Eigen::Map<const Vector>(weight_.data() + first, count));
  const Index per_row = fit_.functions();
  return metrics_of({probability.data() + first * per_row, static_cast<std::size_t>(count * per_row)},
                    targets, per_row);
}

// Weights count relative to each other: the gain is that of as many rows as they are worth.
bool CrossValidation::features_predict() const {
  if (!complete()) return true;
  const Eigen::Map<const Vector> weight(weight_.data(), static_cast<Index>(weight_.size()));
  const double rows = weight.sum() * weight.sum() / weight.squaredNorm();
  const Index n = folds_.rows();
  return rows * (metrics(base_rate_, 0, n).nll - metrics(probability_, 0, n).nll) >= evidence;
}

void CrossValidation::report(Report& report) const {
  const TrainingPlan& plan = fit_.plan();
  if (!chosen_) return;
  report.choices = describe_choices(trials_of_all_, plan.kernels, plan.map_names);
  if (!complete() && std::isfinite(fit_.context.monitor.seconds_left()))
    report.warnings.push_back(
        "the time limit left no time for cross-validation: leave-one-out figures, at parameters fitted to "
        "all rows, are too good");
  if (!complete()) return;

  // Rows of a fold share a model, so their losses are not independent. If the NLLs of folds differ by more than the error of a
  // row explains, chi^2 / (folds - 1) > 1, the error grows by the root of that.
  // Probabilities of different folds have different base rates: the AUC is the mean over folds.
  const std::vector<double>& stated = features_predict() ? probability_ : base_rate_;
  Metrics all = metrics(stated, 0, folds_.rows());
  double auc = 0, with_auc = 0, chi_squared = 0, lowest = INFINITY, highest = -INFINITY;
  const Index folds = folds_.count();
  for (Index fold = 0; fold < folds; ++fold) {
    const Metrics own = metrics(stated, folds_.first(fold) - folds_.first(0), folds_.rows(fold));
    if (!std::isnan(own.auc)) {
      auc += own.auc;
      with_auc += 1;
    }
    chi_squared += std::pow((own.nll - all.nll) / all.nll_error, 2) / static_cast<double>(folds);
    lowest = std::min(lowest, own.nll);
    highest = std::max(highest, own.nll);
  }
  const auto degrees = static_cast<double>(folds - 1);
  all.auc = auc / with_auc;
  if (folds > 1) all.nll_error *= std::sqrt(std::max(1.0, chi_squared / degrees));
  report.cross_validation = all;
  if (!features_predict())
    report.warnings.push_back(
        "the features do not predict the label: in cross-validation they are no better than the base rate, "
        "and the model is the base rate");
  // Rows of a group are alike: folds of groups differ.
  if (folds > 1 && plan.groups.of.empty() && chi_squared > unlikely_chi_squared(degrees) &&
      highest - lowest > no_matter)
    report.warnings.push_back("the folds of cross-validation have NLLs from " + fixed(lowest, 4) + " to " +
                              fixed(highest, 4) +
                              ", more different than chance explains: take its figures with caution");
}

void CrossValidation::archive(Archive& a) {
  const TrainingPlan& plan = fit_.plan();
  a("side", side_);
  if (side_ < 0 || side_ > folds_.count() + 1) a.reject("side", "is out of range");
  archive_trials(a.inside("trials"), plan, trials_);
  archive_trials(a.inside("trials_of_all"), plan, trials_of_all_);
  archive_fit(a.inside("best"), fit_, best_, [this] { return side(); });
  archive_fit(a.inside("chosen"), fit_, chosen_, [this] { return fit_.all_rows(); });
  a("probability", probability_);
  a("base_rate", base_rate_);
  a("label", label_);
  a("weight", weight_);
  const auto functions = static_cast<std::size_t>(fit_.functions());
  const std::size_t numbers = label_.size() * functions;
  if (weight_.size() != label_.size() || probability_.size() != numbers || base_rate_.size() != numbers)
    a.reject("probability", "does not match the data");
  for (const double label : label_)
    if (functions == 1
            ? std::abs(label) != 1
            : !(label >= 0 && label < static_cast<double>(functions) && label == std::floor(label)))
      a.reject("label", "has a label that is not a class");
}

}  // namespace induce::detail
