// The choice of a feature map and a kernel, before or as the first stage of the fit: cross_validation.hpp for small tables,
// held_out_choice.hpp for others.
#pragma once

#include "train/candidate_fit.hpp"

namespace induce::detail {

class ModelChoice {
 public:
  virtual ~ModelChoice() = default;

  // Runs the candidates, or continues. Ends early, with the best so far, if the fit must stop.
  virtual void run() = 0;
  // After run(): the fit of the chosen one; null if none succeeded.
  virtual CandidateFit* chosen() = 0;
  // False if the features turned out to predict no better than base rates.
  virtual bool features_predict() const { return true; }
  virtual void report(Report& report) const = 0;
  virtual void archive(Archive& a) = 0;
};

}  // namespace induce::detail
