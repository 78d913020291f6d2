#include "train/held_out_choice.hpp"

#include <algorithm>

namespace induce::detail {
namespace {

// Rows outside the largest class; with fewer there is nothing to choose by.
constexpr Index fewest_outside = 12;
// Later stages with more rows repair what a larger tolerance in the first one misses.
constexpr double tolerance_factor = 1.5;
// What the choice may take of the time of a fit that has a limit.
constexpr double share_of_time = 0.3;

}  // namespace

bool HeldOutChoice::needed(const TrainingPlan& plan, const StagePlan& first) {
  return first.rows < plan.rows.user_rows() && plan.maps.size() * plan.kernels.size() > 1 &&
         plan.rows_outside_largest_class() >= fewest_outside;
}

HeldOutChoice::HeldOutChoice(StagedFit& fit, const StagePlan& first, const HeldOutRows& rows)
    : fit_(fit), stage_(first), held_out_(rows.held_out) {
  stage_.rows = rows.stage;
  stage_.tolerance *= tolerance_factor;
}

const TrainingSide& HeldOutChoice::side() {
  if (!side_) side_ = fit_.without(stage_.rows, held_out_, 0);
  return *side_;
}

CandidateFit* HeldOutChoice::fit_of(const Trial* trial) {
  return trial ? &*fits_[static_cast<std::size_t>(trial - trials_.data())] : nullptr;
}

void HeldOutChoice::run() {
  const TrainingPlan& plan = fit_.plan();
  while (!fit_.must_leave_time(share_of_time)) {
    const std::optional<Candidate> next = next_by_loss(trials_, plan.maps.size(), *side().kernels);
    if (!next) break;
    Trial trial{.candidate = *next, .family = plan.kernels[next->kernel].family};
    CandidateFit candidate(fit_, *next, side());
    const Trial* best = decide(trials_);
    if (best && best->candidate.map == next->map && !next->short_start && trial.family == best->family)
      candidate.start_from(*fit_of(best));
    const bool succeeded = candidate.run(stage_);
    if (succeeded) trial.bound = candidate.point().value;
    if (succeeded && !fit_.context.monitor.interrupted()) {
      const CandidateFit::HeldOut found = candidate.predict_next(held_out_);
      candidate.forget_rows();
      trial.loss = found.losses();
      trial.weight.assign(found.targets.weight.begin(), found.targets.weight.end());
    }
    trials_.push_back(std::move(trial));
    fits_.emplace_back();
    if (succeeded) fits_.back() = std::move(candidate);
    fit_.context.monitor.end_of_stage(fit_.context.saver);
  }
}

CandidateFit* HeldOutChoice::chosen() { return fit_of(decide(trials_)); }

void HeldOutChoice::report(Report& report) const {
  if (side_) report.choices = describe_choices(trials_, *side_->kernels, fit_.plan().map_names);
}

void HeldOutChoice::archive(Archive& a) {
  archive_trials(a.inside("trials"), fit_.plan(), trials_);
  fits_.resize(trials_.size());
  for (std::size_t k = 0; k < fits_.size(); ++k) {
    archive_fit(a.inside("fit" + std::to_string(k)), fit_, fits_[k], [this] { return side(); });
    if (fits_[k].has_value() != std::isfinite(trials_[k].bound))
      a.reject("fit" + std::to_string(k), "does not match its trial");
  }
}

}  // namespace induce::detail
