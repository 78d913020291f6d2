// Which feature map and which kernel for a table that is not small (cross_validation.hpp)? Candidates are fitted to few rows, and
// the one that best predicts other rows is chosen. The bound of few rows is no judge of what many will show.
//
// A candidate is fitted to the rows of the first stage and predicts the rows that follow, which a later stage will use. Nothing that
// a candidate starts from has seen the labels of these. Tried in turn, each against the best so far:
//   1. the feature maps, with the first kernel: a warp must predict better by half a standard error of the difference;
//   2. the additive part: it must predict better by one standard error; the linear part: it must predict better;
//   3. rougher kernels, until one is worse by one standard error; the roughest before that is chosen, because more rows
//      will show details that few do not.
// All but the first candidate of a map start from the best so far, so they need few iterations; not so the linear part,
// which has nothing to do where a joint part explains the rows already. That can be a dead end:
// where short waves of one feature hide an interaction of others, the joint part has explained the waves and sees
// nothing else. So the first kernel with an additive part (or the first, if there is none) is also
// fitted from short length-scales.
#pragma once

#include <optional>
#include <vector>

#include <induce/report.hpp>

#include "train/candidate.hpp"

namespace induce::detail {

class ModelChoice {
 public:
  // `first`: the first stage of the growth.
  ModelChoice(GrowingFit& fit, const Stage& first);

  // False if there is nothing to choose, or too little to choose by; the first choice is then the best.
  bool needed() const { return needed_; }
  // Runs the candidates, or continues. Ends early, with the best so far, if the fit must stop.
  void run(std::vector<Step>& ladder);

  // After run(): the best candidate, whose last stage was the first; null if none succeeded.
  Candidate* best();
  void report(Report& report) const;
  void archive(Archive& a);

 private:
  struct Trial {
    Choice choice{};
    std::optional<Candidate> candidate{};
    std::vector<double> probability{};      // of the held-out rows, each row of the user on its own
    std::vector<double> label{}, weight{};  // of the same rows, as in Targets

    double nll() const;
    std::vector<double> losses() const;
  };
  // The mean loss of one trial less that of another, over the held-out rows.
  struct Difference {
    double mean = 0, error = 0;
  };
  Index functions() const { return fit_.plan().likelihood.latent_functions(); }
  const Side& side();
  std::optional<Choice> next_choice() const;
  Difference difference(const Trial& a, const Trial& b) const;
  bool beats(const Trial& a, const Trial& b, double errors) const;
  bool run_one(Trial& trial, Candidate& candidate, std::vector<Step>& ladder);
  const Trial* find(const Choice& choice) const;
  const Trial& better_start(std::size_t map, std::size_t kernel) const;
  Family family_of(const Choice& choice) const { return fit_.plan().kernels[choice.kernel].family; }
  std::string kernel_name(const Choice& choice) const;
  double margin_over(const Trial& best, const Trial& trial) const;
  bool starts_from_best(const Choice& choice) const;
  Choice best_choice() const;
  std::string reason(const Trial& chosen, const Trial& lowest, const std::string& name) const;

  GrowingFit& fit_;
  Stage stage_;
  Index held_out_ = 0;
  bool needed_ = false;
  std::optional<Side> side_;  // once it is known
  std::vector<Trial> trials_;
};

}  // namespace induce::detail
