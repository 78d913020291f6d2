// Input and output of a trainer.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <induce/report.hpp>

#include "core/fitted.hpp"
#include "likelihood/likelihood.hpp"
#include "machine/workers.hpp"
#include "site/targets.hpp"
#include "state/state_saver.hpp"
#include "table/feature_map.hpp"
#include "store/memory_store.hpp"
#include "train/methods.hpp"
#include "train/monitor.hpp"
#include "train/parameters.hpp"
#include "train/row_owner.hpp"

namespace induce::detail {

// What the kernels to choose from have besides a joint part.
enum class Family { plain, terms };

// A kernel that the fit may use, and where it starts.
struct KernelPlan {
  std::string name;  // its terms are found during the fit (grow_terms.hpp)
  Layout layout;     // of the kernel without terms
  Prior start;       // without Z
  Family family = Family::plain;
};

// One of the models that compete: a feature map and a kernel, as indices into the plan.
struct Candidate {
  std::size_t map = 0, kernel = 0;
  friend bool operator==(const Candidate&, const Candidate&) = default;
};

// All rows of a large table, of which the plan has a sample.
struct Population {
  Index n = 0;             // distinct
  bool in_memory = false;  // of this process
};

// See Groups; by row of the table of the plan.
struct RowGroups {
  std::vector<int> of;
  bool in_time = false;
  bool of_trials = false;  // weights are numbers of trials, each as good as a row (fit/trials.hpp)
};

struct TrainingPlan {
  const MethodTraits& method;
  const Options& options;
  const MemoryStore& rows;  // the user's rows, or a sample of them
  Targets targets;          // of the distinct rows among them
  std::optional<Population> all;
  std::size_t table_rows = 0;  // rows of the user's table
  RowGroups groups{};          // of the rows of `rows`
  Index n = 0;                 // those of them that have a weight
  Index sample = 0;            // the most rows of a stage that does not have all
  // The table as it would be if rows of it (those marked, of all its rows) had no labels; empty if labels do not matter for it.
  std::function<RowMatrix(const std::vector<char>& without)> table_without{};
  std::vector<FeatureMap> maps;  // from the user's units to the model's; several maps compete
  std::vector<std::string> map_names;
  std::optional<Fitted> start;  // where the only map and kernel start, of a model that was fitted before
  // Several compete: plain ones from smooth to rough, then the same with terms.
  std::vector<KernelPlan> kernels;
  KernelSetting setting;  // of all kernels
  std::string kernel;     // the option, with numbers instead of the names of columns
  const Likelihood& likelihood;
  Index inducing = 0;          // final number
  bool find_inducing = false;  // stop earlier if more are not worth it
  std::size_t memory = 0;      // bytes that a pass may use to cache K and V
  std::uint64_t seed = 0;
  double step = 1;  // of svi-adadelta
  Index batch = 0;

  // How many distinct rows a number of the user's rows is at most.
  Index distinct(Index user_rows) const { return std::min(user_rows, all ? all->n : rows.n()); }
  // The user's rows of each class, in `rows`.
  std::vector<Index> class_rows() const;
  Index rows_outside_largest_class() const;
};

// The context of a running plan. The saver stores the state after an iteration; when resuming, the trainer
// continues from the stored state.
struct FitContext {
  const TrainingPlan& plan;
  Workers& workers;
  RowOwner& owner;
  Monitor& monitor;
  StateSaver& saver;
};

struct Outcome {
  Fitted fitted;
  std::size_t map = 0;  // of the feature map that `fitted` belongs to
  Report report;        // the part that training knows
  bool converged = false;
  bool exhausted = false;  // the rows have no more distinct values for inducing inputs
  std::string failure;     // empty unless there was a numerical breakdown
};

// For the methods that do not grow: all rows in the model's units, or those of a sample, inducing inputs placed among them
// by k-means, one stage. Calls train with both.
Outcome train_from_kmeans(const FitContext& context,
                          const std::function<Outcome(const RowMatrix& X, const Prior& start)>& train);

// Rows of the rarest class that a first sample of the rows should include. With many classes, some may be too rare.
Index rows_of_rare_class(const std::vector<Index>& class_rows);

// Metrics of probabilities, one per row or one for each row and class (Likelihood::probabilities).
Metrics metrics_of(std::span<const double> probability, const Targets& targets, const Likelihood& likelihood);

// -log p of the label of each row.
std::vector<double> losses_of(std::span<const double> probability, const Targets& targets);

// The rows of a draw, each on its own: from `width` numbers per distinct row to as many per user's row.
Vector to_user_rows(const Vector& values, const Draw& rows, Index width);
Targets targets_of_user(const TrainingPlan& plan, const Draw& rows);

// Reports leave-one-out metrics from the leave-one-out probabilities of rows of the user.
void report_leave_one_out(const Vector& probability, const Targets& targets, const Likelihood& likelihood,
                          Report& report);

}  // namespace induce::detail
