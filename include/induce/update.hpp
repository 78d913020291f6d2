// Learning goes on: new rows enter a fitted model, whose kernel, inducing inputs and feature map stay.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <induce/api.hpp>
#include <induce/model.hpp>
#include <induce/table.hpp>

namespace induce {

struct UpdateOptions {
  // A number of new rows after which all that the model knew before counts half; 0: nothing is forgotten.
  double forget = 0;
  bool grow = false;  // adds inducing inputs among new rows that are unlike all rows before
  int threads = 0;    // 0: all cores available to this process
};

// How many rows a class had, and how many the model expected, before it learned them.
struct ClassSurprise {
  double rows = 0, expected = 0;  // sums of weights
  double z = 0;                   // (rows - expected) / the standard deviation of rows
  double nll = 0;                 // of the rows of this class; 0 without rows
};

// How far the rows of a column are from those of the training data.
struct ColumnShift {
  std::size_t column = 0;
  std::string what;              // "mean", "missing", or the level of a category
  double before = 0, after = 0;  // the mean, or the share of the rows
  double shift = 0;              // (after - before) / the standard deviation of one row
};

struct UpdateReport {
  std::size_t n = 0;  // rows that have a weight
  double rows = 0;    // the sum of their weights
  double seconds = 0;
  // Before the rows were learned: their mean negative log-likelihood, what the model expected it to be, and the difference of the
  // sums in standard deviations of the sum.
  double nll = 0, expected_nll = 0, z = 0;
  double fitted_nll = 0;                     // of the same rows after they were learned
  double novel = 0;                          // the share of rows with a novelty (induce/doubt.hpp) above 1/2
  double novel_nll = 0, novel_expected = 0;  // of these rows; 0 without them
  std::vector<ClassSurprise> classes;        // before the rows were learned
  std::vector<ColumnShift>
      columns;                     // the five that moved most, the largest shift first; empty for sparse rows
  std::size_t unknown_levels = 0;  // rows with a level that the model does not have
  std::size_t new_gaps = 0;        // rows with gaps unlike those of the training data
  int rounds = 0;                  // of sites, of the longest part
  std::size_t inputs_added = 0;
  double kept = 1;     // how much what the model knew before counts now
  std::string advice;  // "keep", "grow" or "refit"; the rule: docs/answers/nightly_updates.md
  std::string reason;  // why, in words
};

struct Update {
  Model model;
  UpdateReport report;
};

// Learns rows part by part, in memory that does not depend on their number. Parts are learned one after the other: the sites of
// earlier ones are fixed when later ones come.
class INDUCE_API Updater {
 public:
  // Throws a data Error if the model file is of a version that does not have what an update needs.
  explicit Updater(const Model& model, const UpdateOptions& options = {});
  ~Updater();
  Updater(Updater&&) noexcept;
  Updater& operator=(Updater&&) noexcept;

  // labels[i]: the index of a class of the model. Weights as in fit().
  void learn(TableView table, std::span<const int> labels, std::span<const double> weights = {});
  void learn(SparseView table, std::span<const int> labels, std::span<const double> weights = {});
  // The model so far. Throws a data Error if no row had a weight.
  Update finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// All rows of a table: parts have 65,536 rows.
INDUCE_API Update update(const Model& model, TableView table, std::span<const int> labels,
                         const UpdateOptions& options = {}, std::span<const double> weights = {});
INDUCE_API Update update(const Model& model, SparseView table, std::span<const int> labels,
                         const UpdateOptions& options = {}, std::span<const double> weights = {});

// One update, as a model remembers it.
struct PastUpdate {
  double rows = 0, nll = 0, expected_nll = 0, z = 0, kept = 1, inputs_added = 0;
};
// In the order of time; empty if there was none.
INDUCE_API std::vector<PastUpdate> past_updates(const Model& model);
// The sum of the weights of the rows of the fit; 0 if the model does not know.
INDUCE_API double rows_of_fit(const Model& model);

}  // namespace induce
