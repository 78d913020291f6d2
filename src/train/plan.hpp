// What a trainer works on, what was decided before it starts, and what comes out.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <induce/report.hpp>

#include "core/fitted.hpp"
#include "likelihood/likelihood.hpp"
#include "rows/workers.hpp"
#include "site/targets.hpp"
#include "state/keeper.hpp"
#include "table/feature_map.hpp"
#include "table/weighted_rows.hpp"
#include "train/methods.hpp"
#include "train/monitor.hpp"
#include "train/parameters.hpp"

namespace induce {

struct TrainingPlan {
  const MethodRow& method;
  WeightedRows rows;             // the user's rows
  Targets targets;               // of these rows
  std::vector<FeatureMap> maps;  // from the user's units to the model's; where there are more, they compete
  std::shared_ptr<const Kernel> kernel;
  const Likelihood& likelihood;
  Layout layout;
  Prior start;                 // without Z
  Index inducing = 0;          // at the end
  bool find_inducing = false;  // fewer if more do not pay
  std::size_t memory = 0;      // bytes that a pass may use to keep K and V
  std::uint64_t seed = 0;
  double step = 1;  // of svi-adadelta
  Index batch = 0;
};

// A plan being carried out. The keeper stores the state after an iteration; one that is resuming lets the trainer go
// on from there.
struct FitContext {
  const TrainingPlan& plan;
  Workers& workers;
  Monitor& monitor;
  Keeper& keeper;
};

struct Outcome {
  Fitted fitted;
  std::size_t map = 0;  // of the plan's maps, the one that fitted belongs to
  Report report;        // what training knows of it
  bool converged = false;
  bool exhausted = false;  // the rows have no more distinct values for inducing inputs
  std::string failure;     // empty unless the numbers broke down
};

// The plan's start with inducing inputs placed by k-means over the rows X. For the methods that do not grow: begins
// their one stage.
Prior start_with_kmeans(const FitContext& context, const RowMatrix& X);

// The report's leave-one-out, from the probabilities of the rows, each without itself.
void report_leave_one_out(const Vector& probability, const Targets& targets, Report& report);

}  // namespace induce
