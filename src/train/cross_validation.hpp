// Small tables: which feature map and kernel, and what the fit is worth.
//
// A table is small if the first stage has all its rows. Then each candidate is fitted to all rows, from the usual start, and
// the one with the highest bound is chosen (decide.hpp): the feature maps with the squared exponential and, with the best
// map, the same kernel with terms.
// The bound has nothing random in it, so the choice does not depend on which rows happened to be held out, on the last digits of
// the table or on the seed. Held-out rows of a small table cannot tell such candidates apart, and on 25 public tables the
// bound chose no worse (docs/decisions.md).
//
// Where rows belong together (TrainingPlan::groups), the bound is no judge: it gains by learning each group by heart. There the
// best candidate without terms and the one with them both predict the folds, which consist of whole groups, and the losses
// decide.
//
// What the fit is worth is found by cross-validation: everything above is done again without each of the folds of the user's
// rows (row_splits.hpp), and the result predicts the fold.
//
// With policy::rows_in_common rows or more (times latent functions) two of the four folds are enough, and what all these fits have in common is done once:
// the candidates are fitted to the rows outside both folds, a stage that all rows and the rows without one or the other fold
// contain. From there the best one without terms and the best one with them go on with each of these sides.
//
// If
// these predictions are no better than the base rates of the same rows by `evidence` nats in all, the features do not
// predict the label, as far as these rows can show, and the model is the base rate. Were the label independent of the
// features, the exponential of the gain would have an expectation of at most 1, so a gain of log 100 has a probability of
// at most 1/100. Two folds are enough only if they show that; otherwise the others follow, each with all candidates. That looks
// twice, and folds learn from each other's rows, so 1/100 is a rule of thumb.
#pragma once

#include <optional>
#include <vector>

#include "train/model_choice.hpp"
#include "train/row_splits.hpp"

namespace induce::detail {

class CrossValidation final : public ModelChoice {
 public:
  // `folds`: of the order of the fit.
  CrossValidation(StagedFit& fit, const StagePlan& first, Folds folds);
  // False unless the table is small, there is something to choose, and there are rows to judge by.
  static bool needed(const TrainingPlan& plan, const StagePlan& first);

  // The candidates, then the folds.
  void run() override;
  CandidateFit* chosen() override;
  // True also if there was no time to find out.
  bool features_predict() const override;
  void report(Report& report) const override;
  void archive(Archive& a) override;

 private:
  static constexpr Index fewest_folds = 2;  // one says nothing of how much they differ

  TrainingSide side() const;
  TrainingSide common_side() const;
  // The candidates on the rows that the first sides have in common.
  void run_common();
  std::optional<CandidateFit> next_of_side(const TrainingSide& now);
  bool run_side();
  bool predict_fold();
  void take_best();
  std::size_t rival_of(const Trial& trial) const;
  const Trial* best_of_rival(std::vector<Trial>& trials, std::size_t rival) const;
  Index judged() const { return static_cast<Index>(label_.size()); }  // rows, of the folds so far
  double gain_over_base_rate(std::size_t rival) const;                // nats, on these
  bool complete() const;
  bool has_finalists() const { return !finalists_.empty() && side_ <= fewest_folds; }
  Metrics metrics(const std::vector<double>& probability, Index first, Index count) const;

  StagedFit& fit_;
  StagePlan stage_;
  Folds folds_;
  Index side_ = 0;    // 0: all rows; k: without fold k - 1
  Index common_ = 0;  // rows outside the first folds; 0: no stage of them
  std::vector<Trial> trials_of_common_;
  std::vector<std::optional<CandidateFit>>
      finalists_;  // after the stage of these rows, in the order of decide.hpp
  std::vector<Trial> trials_, trials_of_all_;
  // Of each rival: one, or with groups one without terms and one with them.
  std::vector<std::optional<CandidateFit>> best_;    // of this side
  std::vector<std::optional<CandidateFit>> chosen_;  // of all rows
  // How the rows of the folds so far were predicted, each row of the user on its own, by each rival and by base rates.
  std::vector<std::vector<double>> probability_, loss_;
  std::vector<double> base_rate_, label_, weight_;
  std::size_t taken_ = 0;  // rival
};

}  // namespace induce::detail
