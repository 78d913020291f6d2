// Which feature map and which kernel for a table that is not small (cross_validation.hpp)? Candidates are fitted to few rows, and
// the one that best predicts other rows is chosen. The bound of few rows is no judge of what many will show.
//
// A candidate is fitted to the rows of the first stage and predicts the rows that follow, which a later stage will use. Nothing that
// a candidate starts from has seen the labels of these. Candidates are tried in turn, each against the best so far (decide.hpp).
// A candidate starts from the best so far if that has the same map and family, so it needs few iterations. That can be a dead end:
// where short waves of one feature hide an interaction of others, the joint part has explained the waves and sees
// nothing else. So the first kernel with terms (or the first, if there is none) is also
// fitted from short length-scales.
//
// More rows show more terms. So if the fit has another stage before it takes all rows, the best candidate without terms and the
// best with them go through that stage too, and the rows after those decide.
#pragma once

#include <optional>
#include <vector>

#include "train/model_choice.hpp"
#include "train/row_splits.hpp"

namespace induce::detail {

class HeldOutChoice final : public ModelChoice {
 public:
  // `rows`: how the order of the fit begins. `second`: the stage after the first, unless it has all rows.
  HeldOutChoice(StagedFit& fit, const StagePlan& first, const std::optional<StagePlan>& second,
                const HeldOutRows& rows);
  static bool needed(const TrainingPlan& plan, const StagePlan& first);

  void run() override;
  CandidateFit* chosen() override;
  void report(Report& report) const override;
  void archive(Archive& a) override;

 private:
  const TrainingSide& side();
  CandidateFit* fit_of(const Candidate& candidate);
  // Fits the candidate to the rows of a stage, if it can, and judges it by the rows that follow.
  Trial judged(CandidateFit& candidate, StagePlan stage, Index held_out);

  StagedFit& fit_;
  StagePlan stage_;
  std::optional<StagePlan> second_;
  Index held_out_;
  std::optional<TrainingSide> side_;               // once it is known
  std::vector<Trial> trials_, finals_;             // of the first stage and of the second
  std::vector<std::optional<CandidateFit>> fits_;  // of each trial; none: it failed
};

}  // namespace induce::detail
