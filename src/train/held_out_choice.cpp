#include "train/held_out_choice.hpp"

#include <algorithm>

#include "train/policy.hpp"

namespace induce::detail {
bool HeldOutChoice::needed(const TrainingPlan& plan, const StagePlan& first) {
  return first.rows < plan.rows.user_rows() && plan.maps.size() * plan.kernels.size() > 1 &&
         plan.rows_outside_largest_class() >= policy::fewest_outside;
}

HeldOutChoice::HeldOutChoice(StagedFit& fit, const StagePlan& first, const std::optional<StagePlan>& second,
                             const HeldOutRows& rows)
    : fit_(fit), stage_(first), second_(second), held_out_(rows.held_out) {
  stage_.rows = rows.stage;
  stage_.tolerance *= policy::care_of_trials;
}

const TrainingSide& HeldOutChoice::side() {
  if (!side_) side_ = fit_.without(stage_.rows, held_out_, 0);
  return *side_;
}

CandidateFit* HeldOutChoice::fit_of(const Candidate& candidate) {
  for (std::size_t k = 0; k < trials_.size(); ++k)
    if (trials_[k].candidate == candidate && fits_[k]) return &*fits_[k];
  return nullptr;
}

Trial HeldOutChoice::judged(CandidateFit& candidate, StagePlan stage, Index held_out) {
  const Candidate& which = candidate.candidate();
  Trial trial{.candidate = which, .family = fit_.plan().kernels[which.kernel].family};
  if (!candidate.run(stage)) return trial;
  trial.bound = candidate.point().value;
  if (fit_.context.monitor.interrupted()) return trial;
  const CandidateFit::HeldOut found = candidate.predict_next(held_out);
  candidate.forget_rows();
  trial.loss = found.losses();
  trial.weight.assign(found.targets.weight.begin(), found.targets.weight.end());
  return trial;
}

void HeldOutChoice::run() {
  const TrainingPlan& plan = fit_.plan();
  Monitor& monitor = fit_.context.monitor;
  while (!fit_.must_leave_time(policy::share_of_choice)) {
    const std::optional<Candidate> next = next_by_loss(trials_, plan.maps.size(), *side().kernels,
                                                       plan.options.effort >= policy::effort_of_shapes);
    if (!next) break;
    CandidateFit candidate(fit_, *next, side());
    const Trial* best = decide(trials_);
    if (best && best->candidate.map == next->map && plan.kernels[next->kernel].family == best->family)
      candidate.start_from(*fit_of(best->candidate));
    trials_.push_back(judged(candidate, stage_, held_out_));
    fits_.emplace_back();
    if (std::isfinite(trials_.back().bound)) fits_.back() = std::move(candidate);
    monitor.end_of_stage(fit_.context.saver);
  }
  const std::vector<const Trial*> both = second_ ? finalists(trials_) : std::vector<const Trial*>();
  while (finals_.size() < both.size() && !fit_.must_leave_time(policy::share_of_choice)) {
    const Index left = plan.rows.user_rows() - second_->rows;
    finals_.push_back(
        judged(*fit_of(both[finals_.size()]->candidate), *second_, std::min(second_->rows, left)));
    monitor.end_of_stage(fit_.context.saver);
  }
}

CandidateFit* HeldOutChoice::chosen() {
  const Trial* best = finals_.size() == 2 ? decide(finals_) : nullptr;
  if (!best) best = decide(trials_);
  return best ? fit_of(best->candidate) : nullptr;
}

void HeldOutChoice::report(Report& report) const {
  if (!side_) return;
  report.choices = describe_choices(trials_, *side_->kernels, fit_.plan().map_names);
  if (finals_.size() < 2) return;
  replace_choices(report.choices, describe_choices(finals_, *side_->kernels, fit_.plan().map_names));
}

void HeldOutChoice::archive(Archive& a) {
  archive_trials(a.inside("trials"), fit_.plan(), trials_);
  archive_trials(a.inside("finals"), fit_.plan(), finals_);
  fits_.resize(trials_.size());
  for (std::size_t k = 0; k < fits_.size(); ++k) {
    archive_fit(a.inside("fit" + std::to_string(k)), fit_, fits_[k], [this] { return side(); });
    if (fits_[k].has_value() != std::isfinite(trials_[k].bound))
      a.reject("fit" + std::to_string(k), "does not match its trial");
  }
}

}  // namespace induce::detail
