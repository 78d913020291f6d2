#include "train/cross_validation.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <induce/metrics.hpp>

#include "text/format.hpp"
#include "train/group_error.hpp"
#include "train/policy.hpp"
#include "train/set_thresholds.hpp"

namespace induce::detail {
namespace {

constexpr int most_iterations = 200;  // of a candidate: all of them must leave some of the fit's limit
constexpr double no_matter = 0.01;    // nats: a difference of NLLs that is not worth a warning
// What chi squared with k degrees of freedom exceeds once in a thousand times (Wilson and Hilferty).
double unlikely_chi_squared(double k) {
  const double variance = 2 / (9 * k);
  return k * std::pow(1 - variance + 3.09 * std::sqrt(variance), 3);
}

}  // namespace

CandidateFit* CrossValidation::chosen() {
  if (chosen_[taken_]) return &*chosen_[taken_];
  // Stopped in the stage of the rows in common.
  const Trial* best = decide(trials_of_common_);
  for (std::optional<CandidateFit>& each : finalists_)
    if (best && each->candidate() == best->candidate) return &*each;
  return nullptr;
}

bool CrossValidation::needed(const TrainingPlan& plan, const StagePlan& first) {
  return !plan.all && first.rows == plan.n && plan.maps.size() * plan.kernels.size() > 1 &&
         plan.rows_outside_largest_class() >= policy::fewest_to_fold;
}

CrossValidation::CrossValidation(StagedFit& fit, const StagePlan& first, Folds folds)
    : fit_(fit), stage_(first), folds_(std::move(folds)) {
  const TrainingPlan& plan = fit.plan();
  const std::size_t rivals = plan.groups.of.empty() ? 1 : 2;
  best_.resize(rivals);
  chosen_.resize(rivals);
  probability_.resize(rivals);
  loss_.resize(rivals);
  if (rivals == 1 && !plan.table_without && folds_.count() > fewest_folds &&
      plan.n * fit.functions() >= policy::rows_in_common)
    common_ = folds_.rows() - (folds_.first(fewest_folds) - folds_.first(0));
  if (common_ > 0) {
    stage_.tolerance *= policy::care_of_trials;
    return;
  }
  stage_.last = true;  // a plateau of two iterations ends other stages, and here nothing would repair that
  stage_.max_iter = most_iterations;
  // A cold start may gain little in its first few iterations. The patience of a last stage would let each candidate run
  // for hundreds of them.
  stage_.patience = policy::patient_passes *
                    work_of_pass(plan.distinct(plan.n), first.m, plan.maps[0].features(), fit.functions());
}

TrainingSide CrossValidation::side() const {
  if (side_ == 0) return fit_.all_rows();
  return fit_.without(folds_.first(side_ - 1), folds_.rows(side_ - 1), folds_.first(side_));
}

std::size_t CrossValidation::rival_of(const Trial& trial) const {
  return best_.size() > 1 && trial.family == Family::terms ? 1 : 0;
}

// Null if all fits of the rival failed.
const Trial* CrossValidation::best_of_rival(std::vector<Trial>& trials, std::size_t rival) const {
  std::vector<Trial> own;
  for (const Trial& trial : trials)
    if (rival_of(trial) == rival) own.push_back(trial);
  const Trial* best = decide(own);
  const auto found = std::find_if(trials.begin(), trials.end(), [&](const Trial& each) {
    return best && each.candidate == best->candidate;
  });
  return found == trials.end() ? nullptr : &*found;
}

TrainingSide CrossValidation::common_side() const {
  return fit_.without(folds_.first(0), folds_.rows() - common_, folds_.first(fewest_folds));
}

void CrossValidation::run_common() {
  const TrainingPlan& plan = fit_.plan();
  const TrainingSide now = common_side();
  stage_.rows = common_;
  std::vector<CandidateFit> fits;
  while (!fit_.must_leave_time(policy::share_of_choice)) {
    const std::optional<Candidate> next = next_by_bound(trials_of_common_, plan.maps.size(), *now.kernels);
    if (!next) break;
    CandidateFit& candidate = fits.emplace_back(fit_, *next, now);
    Trial& trial = trials_of_common_.emplace_back(
        Trial{.candidate = *next, .family = plan.kernels[next->kernel].family});
    if (candidate.run(stage_)) trial.bound = candidate.point().value;
    candidate.forget_rows();
  }
  std::vector<const Trial*> both = finalists(trials_of_common_);
  if (const Trial* best = decide(trials_of_common_); both.empty() && best) both.push_back(best);
  for (const Trial* each : both) finalists_.emplace_back(std::move(fits[each - trials_of_common_.data()]));
}

// Null if there is no other.
std::optional<CandidateFit> CrossValidation::next_of_side(const TrainingSide& now) {
  if (has_finalists()) {
    if (trials_.size() == finalists_.size()) return std::nullopt;
    std::optional<CandidateFit> candidate = finalists_[trials_.size()];
    candidate->use(now);
    return candidate;
  }
  const std::optional<Candidate> next = next_by_bound(trials_, fit_.plan().maps.size(), *now.kernels);
  if (!next) return std::nullopt;
  return CandidateFit(fit_, *next, now);
}

// All candidates of a side. False if the fit must stop.
bool CrossValidation::run_side() {
  const TrainingPlan& plan = fit_.plan();
  const TrainingSide now = side();
  stage_.rows = side_ == 0 ? plan.n : plan.n - folds_.rows(side_ - 1);
  while (!fit_.must_leave_time(side_ == 0 ? policy::share_of_choice : policy::share_of_folds) ||
         (side_ == 0 &&
          std::none_of(best_.begin(), best_.end(), [](const auto& best) { return best.has_value(); }))) {
    std::optional<CandidateFit> candidate = next_of_side(now);
    if (!candidate) return true;
    const Candidate& which = candidate->candidate();
    Trial& trial =
        trials_.emplace_back(Trial{.candidate = which, .family = plan.kernels[which.kernel].family});
    if (candidate->run(stage_)) {
      trial.bound = candidate->point().value;
      candidate->forget_rows();
    }
    const std::size_t rival = rival_of(trial);
    if (best_of_rival(trials_, rival) == &trial) best_[rival] = std::move(candidate);
    if (fit_.context.monitor.must_stop()) return false;
    fit_.context.monitor.end_of_stage(fit_.context.saver);
  }
  return false;
}

bool CrossValidation::predict_fold() {
  const Index count = folds_.rows(side_ - 1);
  std::optional<CandidateFit::HeldOut> held_out;
  const auto append = [](std::vector<double>& to, const auto& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  for (std::size_t rival = 0; rival < best_.size(); ++rival) {
    if (!best_[rival]) continue;  // its predictions stay too few, so it cannot be taken
    held_out = best_[rival]->predict_next(count);
    append(probability_[rival], held_out->probability);
    append(loss_[rival], held_out->losses());
  }
  if (!held_out) return false;
  const CandidateFit::HeldOut& found = *held_out;
  append(label_, found.targets.y);
  append(weight_, found.targets.weight);
  for (Index i = 0; i < count; ++i) {
    if (fit_.plan().likelihood.classes() == 2)
      base_rate_.push_back(found.base_rates[1]);
    else
      append(base_rate_, found.base_rates);
  }
  return true;
}

void CrossValidation::run() {
  if (common_ > 0 && finalists_.empty()) {
    run_common();
    if (fit_.context.monitor.must_stop()) return;
    fit_.context.monitor.end_of_stage(fit_.context.saver);
  }
  for (; side_ <= folds_.count(); ++side_) {
    const bool all_ran = run_side();
    if (side_ == 0) {
      chosen_ = std::exchange(best_, decltype(best_)(best_.size()));
      trials_of_all_ = trials_;
      take_best();
    }
    if (fit_.context.monitor.must_stop() || (side_ > 0 && !all_ran)) break;
    if (side_ > 0 && !predict_fold()) break;
    for (std::optional<CandidateFit>& best : best_) best.reset();
    trials_.clear();
    if (side_ > 0 && complete()) break;
  }
  if (chosen_.size() == 1 || !complete()) return;
  for (std::size_t rival = 0; rival < chosen_.size(); ++rival) {
    const Trial* best = best_of_rival(trials_of_all_, rival);
    if (!best || loss_[rival].size() != label_.size()) continue;
    Trial& judged = trials_of_all_[static_cast<std::size_t>(best - trials_of_all_.data())];
    judged.loss = loss_[rival];
    judged.weight = weight_;
  }
  take_best();
}

void CrossValidation::take_best() {
  if (const Trial* best = decide(trials_of_all_)) taken_ = rival_of(*best);
}

// Rivals are compared on all folds.
bool CrossValidation::complete() const {
  if (loss_[taken_].size() != label_.size()) return false;
  if (judged() == folds_.rows()) return true;
  return common_ > 0 && judged() == folds_.rows() - common_ &&
         gain_over_base_rate(taken_) >= policy::evidence;
}

Metrics CrossValidation::metrics(const std::vector<double>& probability, Index first, Index count) const {
  const Targets targets(Eigen::Map<const Vector>(label_.data() + first, count),
                        Eigen::Map<const Vector>(weight_.data() + first, count));
  const Likelihood& likelihood = fit_.plan().likelihood;
  const Index per_row = likelihood.probabilities();
  return metrics_of({probability.data() + first * per_row, static_cast<std::size_t>(count * per_row)},
                    targets, likelihood);
}

// Weights count relative to each other: the gain is that of as many rows as they are worth. Trials are rows.
double CrossValidation::gain_over_base_rate(std::size_t rival) const {
  const Eigen::Map<const Vector> weight(weight_.data(), static_cast<Index>(weight_.size()));
  const double rows =
      fit_.plan().groups.of_trials ? weight.sum() : weight.sum() * weight.sum() / weight.squaredNorm();
  return rows * (metrics(base_rate_, 0, judged()).nll - metrics(probability_[rival], 0, judged()).nll);
}

bool CrossValidation::features_predict() const {
  return !complete() || gain_over_base_rate(taken_) >= policy::evidence;
}

void CrossValidation::report(Report& report) const {
  const TrainingPlan& plan = fit_.plan();
  report.choices = describe_choices(trials_of_common_, plan.kernels, plan.map_names,
                                    std::to_string(common_) + " of the rows");
  std::vector<Chosen> of_all = describe_choices(trials_of_all_, plan.kernels, plan.map_names);
  if (trials_of_common_.empty())
    report.choices = std::move(of_all);
  else
    replace_choices(report.choices, std::move(of_all));
  if (!complete() && std::isfinite(fit_.context.monitor.seconds_left()))
    report.warnings.emplace_back(
        "the time limit left no time for cross-validation: leave-one-out figures, at parameters fitted to "
        "all rows, are too good");
  if (!complete()) return;

  // Rows of a fold share a model, so their losses are not independent. If the NLLs of folds differ by more than the error of
  // rows, or of groups, explains, chi^2 / (folds - 1) > 1, the error grows by the root of that.
  // Probabilities of different folds have different base rates: the AUC is the mean over folds.
  const std::vector<double>& stated = features_predict() ? probability_[taken_] : base_rate_;
  Metrics all = metrics(stated, 0, judged());
  const Targets targets(Eigen::Map<const Vector>(label_.data(), judged()),
                        Eigen::Map<const Vector>(weight_.data(), judged()));
  if (!plan.groups.of.empty()) all.nll_error = error_of_groups(fit_, folds_, stated, targets);
  double auc = 0, with_auc = 0, chi_squared = 0, lowest = INFINITY, highest = -INFINITY;
  Index folds = 0;
  while (folds < folds_.count() && folds_.first(folds + 1) - folds_.first(0) <= judged()) ++folds;
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
  report.set_thresholds = set_thresholds(stated, targets, plan.likelihood.probabilities());
  if (!features_predict())
    report.warnings.emplace_back(
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
  archive_trials(a.inside("trials_of_common"), plan, trials_of_common_);
  std::size_t finalists = finalists_.size();
  a("finalists", finalists);
  if (finalists > trials_of_common_.size()) a.reject("finalists", "are too many");
  finalists_.resize(finalists);
  for (std::size_t k = 0; k < finalists; ++k) {
    archive_fit(a.inside("finalist" + std::to_string(k)), fit_, finalists_[k],
                [this] { return common_side(); });
    if (!finalists_[k]) a.reject("finalist" + std::to_string(k), "is missing");
  }
  archive_trials(a.inside("trials"), plan, trials_);
  archive_trials(a.inside("trials_of_all"), plan, trials_of_all_);
  a("taken", taken_);
  if (taken_ >= chosen_.size()) a.reject("taken", "is out of range");
  for (std::size_t rival = 0; rival < chosen_.size(); ++rival) {
    Archive of = a.inside("rival" + std::to_string(rival));
    archive_fit(of.inside("best"), fit_, best_[rival], [this] { return side(); });
    archive_fit(of.inside("chosen"), fit_, chosen_[rival], [this] { return fit_.all_rows(); });
    of("probability", probability_[rival]);
    of("loss", loss_[rival]);
    // A rival that failed on a fold has fewer.
    if (probability_[rival].size() !=
        loss_[rival].size() * static_cast<std::size_t>(plan.likelihood.probabilities()))
      of.reject("probability", "does not match the data");
  }
  a("base_rate", base_rate_);
  a("label", label_);
  a("weight", weight_);
  const auto classes = static_cast<double>(plan.likelihood.classes());
  const std::size_t numbers = label_.size() * static_cast<std::size_t>(plan.likelihood.probabilities());
  if (weight_.size() != label_.size() || base_rate_.size() != numbers)
    a.reject("base_rate", "does not match the data");
  for (const double label : label_)
    if (classes == 2 ? std::abs(label) != 1 : !(label >= 0 && label < classes && label == std::floor(label)))
      a.reject("label", "has a label that is not a class");
}

}  // namespace induce::detail
