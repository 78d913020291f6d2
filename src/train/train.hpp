// The training methods: what goes in, what comes out. The keeper stores the state of each after an iteration,
// and one that is resuming lets it go on from there.
#pragma once

#include <string>

#include "core/pass.hpp"
#include "state/keeper.hpp"
#include "site/targets.hpp"
#include "train/methods.hpp"
#include "train/monitor.hpp"
#include "train/parameters.hpp"

namespace induce {

struct TrainingData {
  const RowMatrix& X;  // n x d, in the model's units
  const Targets& targets;
};

// For the method that grows: the user's rows, and the maps to the model's units that compete.
struct GrowingData {
  const WeightedRows& rows;
  const Targets& targets;               // of these rows
  const std::vector<FeatureMap>& maps;  // one or more
};

struct TrainingSetup {
  const Shape& shape;
  Prior start;
  Layout layout;
  const MethodRow& method;
  std::size_t memory = 0;  // bytes that a pass may use to keep K and V
};

struct Outcome {
  Fitted fitted;
  double bound = 0;  // the method's own
  double elbo = 0;   // the true bound (11) of the same q
  double sparsity_price = 0;
  std::size_t map = 0;   // the one that won
  std::size_t rows = 0;  // that took part; 0: all
  std::vector<Step> ladder;
  Vector loo_probability;  // of the rows that took part, each without itself; empty where q has no sites
  Targets loo_targets;     // of the same
  long passes = 0;
  std::size_t kept_bytes = 0;
  bool converged = false;
  std::string failure;  // empty unless the numbers broke down
};

// Alg. 1 of the paper and its two relatives: every method whose q is closed form.
Outcome train_vi(const TrainingData& data, const TrainingSetup& setup, Workers& workers, Monitor& monitor,
                 Keeper& keeper);

// Beyond the paper: theta, mean and Z on the profiled true bound, rows and m growing. The start's Z is not
// looked at.
struct GrowthSettings {
  Index inducing = 0;  // 0: grow until it no longer pays
  std::uint64_t seed = 0;
};
Outcome train_newton(const GrowingData& data, const TrainingSetup& setup, const GrowthSettings& settings,
                     Workers& workers, Monitor& monitor, Keeper& keeper);

// The methods that treat mu and Sigma as variables of the true bound (11).
struct SviSettings {
  double step = 1;
  Index batch = 50;
  std::uint64_t seed = 0;
};
Outcome train_svi(const TrainingData& data, const TrainingSetup& setup, const SviSettings& settings,
                  Workers& workers, Monitor& monitor, Keeper& keeper);

}  // namespace induce
