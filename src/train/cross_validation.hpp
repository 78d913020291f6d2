// Small tables: which feature map and kernel, and what the fit is worth.
//
// A table is small if the first stage has all its rows. Then each candidate is fitted to all rows, from the usual start, and
// the one with the highest bound is chosen:
//   1. the feature maps, with the squared exponential;
//   2. with the best map, the same kernel with an additive part.
// A later one must be better by half a nat.
// The bound has nothing random in it, so the choice does not depend on which rows happened to be held out, on the last digits of
// the table or on the seed. Held-out rows of a small table cannot tell such candidates apart, and on 25 public tables the
// bound chose no worse (docs/decisions.md).
//
// What the fit is worth is found by cross-validation: everything above is done again without each of four folds (ten of
// fewer than 500 rows) of the user's rows, which have the same share of each class, and the result predicts the fold. If
// these predictions are no better than the base rates of the same rows by `evidence` nats in all, the features do not
// predict the label, as far as these rows can show, and the model is the base rate. Were the label independent of the
// features, the exponential of the gain would have an expectation of at most 1, so a gain of log 20 has a probability of
// at most 1/20.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <induce/report.hpp>

#include "train/candidate.hpp"

namespace induce::detail {

// Moves the shuffled rows of a small table into their folds, one fold after the other.
void arrange_folds(const TrainingPlan& plan, std::vector<Index>& order);

class CrossValidation {
 public:
  // `first`: the first stage of the growth.
  CrossValidation(GrowingFit& fit, const Stage& first);

  // False unless the table is small, there is something to choose, and there are rows to judge by.
  bool needed() const { return needed_; }
  // Runs the candidates and the folds, or continues. Ends early, with the best so far, if the fit must stop.
  void run(std::vector<Step>& ladder);

  // After run(): the chosen candidate, whose last stage had all rows; null if none succeeded.
  Candidate* chosen() { return chosen_ ? &*chosen_ : nullptr; }
  // False if all folds were predicted, and no better than by base rates.
  bool features_predict() const;
  void report(Report& report) const;
  void archive(Archive& a);

 private:
  struct Trial {
    Choice choice;
    double bound = -INFINITY;
  };
  Index functions() const { return fit_.plan().likelihood.latent_functions(); }
  Index fold_begin(Index fold) const;
  Side side() const;
  const Trial* best_trial() const;
  std::optional<Choice> next_choice(const Side& side) const;
  bool run_side(std::vector<Step>& ladder);
  void predict_fold();
  bool complete() const;
  Metrics metrics(const std::vector<double>& probability, Index first, Index count) const;

  GrowingFit& fit_;
  Stage stage_;
  bool needed_ = false;
  Index side_ = 0;  // 0: all rows; k: without fold k - 1
  std::vector<Trial> trials_, trials_of_all_;
  std::optional<Candidate> best_;    // of this side
  std::optional<Candidate> chosen_;  // of all rows
  // Of the rows of the folds so far, each row of the user on its own: probabilities by the fit and by base rates.
  std::vector<double> probability_, base_rate_, label_, weight_;
};

}  // namespace induce::detail
