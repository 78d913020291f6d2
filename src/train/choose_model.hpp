// Which feature map and which kernel? Candidates are fitted to few rows, and the one that best predicts other rows is
// chosen. The bound is no judge of that: it prefers the smoothest kernel too often, and a kernel with more parameters
// can gain a few nats and predict worse.
//
// The first look: a candidate is fitted to the rows of the first stage and predicts the rows that follow, which a later
// stage will use. Tried in turn, each against the best so far:
//   1. the feature maps, with the first kernel: a warp must predict better by half a standard error of the difference;
//   2. the additive part: it must predict better by one standard error; the linear part: it must predict better, or
//      in a small table not be worse by one standard error, because few rows show little else;
//   3. rougher kernels, until one is worse by one standard error; the roughest before that is chosen, because more rows
//      will show details that few do not.
// All but the first candidate of a map start from the best so far, so they need few iterations; not so the linear part,
// which has nothing to do where a joint part explains the rows already. That can be a dead end:
// where short waves of one feature hide an interaction of others, the joint part has explained the waves and sees
// nothing else. So the first kernel with an additive part (or the first, if there is none) is also
// fitted from short length-scales.
//
// Small tables have no rows to spare: the first look uses all but one of `folds` folds, and what is not clearly worse is
// compared on the other folds too. The best candidate is then also cross-validated.
#pragma once

#include <optional>
#include <vector>

#include <induce/report.hpp>

#include "train/candidate.hpp"

namespace induce {

class ModelChoice {
 public:
  // `first`: the first stage of the growth.
  ModelChoice(GrowingFit& fit, const Stage& first);

  // False if there is nothing to choose, or too little to choose by; the first choice is then the best.
  bool needed() const { return needed_; }
  // Runs the candidates, or continues. Ends early, with the best so far, if the fit must stop.
  void run(std::vector<Step>& ladder);

  // After run(): the best candidate, whose last stage had the rows of the first look; null if none succeeded.
  Candidate* best();
  void report(Report& report) const;
  void archive(Archive& a);

 private:
  struct Trial {
    Choice choice;
    std::optional<Candidate> candidate;  // of the first fold
    std::vector<double> probability;     // of the held-out rows, fold after fold
    std::vector<double> label, weight;   // of the same rows, as in Targets
    bool alive = true;

    double nll() const;
    std::vector<double> losses() const;
  };
  Index functions() const { return fit_.plan().likelihood.latent_functions(); }
  std::optional<Choice> next_choice() const;
  bool beats(const Trial& a, const Trial& b, double errors) const;
  double excess(const Trial& a, const Trial& b) const;
  bool run_one(Trial& trial, Candidate& candidate, std::vector<Step>& ladder);
  void first_look(std::vector<Step>& ladder);
  void other_folds(std::vector<Step>& ladder);
  bool out_of_time() const;
  const Trial* find(const Choice& choice) const;
  const Trial& better_start(std::size_t map, std::size_t kernel) const;
  Family family_of(const Choice& choice) const { return fit_.plan().kernels[choice.kernel].family; }
  double margin_over(const Trial& best, const Trial& trial) const;
  bool starts_from_best(const Choice& choice) const;
  Choice best_choice() const;

  GrowingFit& fit_;
  Stage stage_;
  Index folds_ = 1, held_out_ = 0;
  bool needed_ = false;
  std::vector<Trial> trials_;
  std::optional<Candidate> current_;  // running
  std::optional<Candidate> anchor_;   // of this fold, for the others to start from
  Index fold_ = 0;
  std::size_t in_fold_ = 0;  // trials done in this fold
  bool done_ = false;
};

}  // namespace induce
