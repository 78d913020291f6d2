// The sequence of stages of a fit with growing rows and inducing inputs.
//
// Theta and Z need far fewer rows than q to be nearly right, and the first inducing inputs show where the next
// ones belong. So a fit starts with few of both:
//   1. rows grow fourfold, from a few thousand to all;
//   2. inducing inputs grow, up to the requested number, or until doubling them gains too little for its cost. Two
//      measures tell what to expect: what the last doubling gained, and the price of having only m of them
//      (posterior.hpp). Each is often wrong by a factor of two or more, in both directions; their mean is more reliable;
//   3. a stage may do without rows that the model does not doubt (doubtful_rows.hpp). q has every row at the end.
// The last stage has all of both. It alone determines where the fit ends; the earlier stages only affect how soon.
// All tolerances are relative to what is left to explain: .003 nats per row is little where a row costs .5 nats, and far
// too much on a nearly separable table. There, on the other hand, the same relative gain is worth less. So the unit of
// tolerances is a mean of both: the root of |bound| and .3 nats per row, but at most five times |bound|.
#pragma once

#include <algorithm>
#include <deque>

#include "state/archive.hpp"
#include "linalg/types.hpp"
#include "term/terms.hpp"

namespace induce::detail {

struct StagePlan {
  Index rows = 0, m = 0;
  double tolerance = 0;  // of ConvergenceTest
  double patience = 0;   // operations
  bool last = false;
  int max_iter = 0;  // 0: that of the fit

  void archive(Archive& a);
};

constexpr double usual_loss = 0.3;  // nats per row
// The unit of tolerances for a bound over this many rows.
double tolerance_unit(double bound, Index rows);

// Of terms: values, and entries of a row that are not 0.
struct TermSize {
  Index values = 0, entries = 0;

  TermSize() = default;
  TermSize(Index of_values, Index of_entries) : values(of_values), entries(of_entries) {}
  explicit TermSize(const Terms* terms);  // null: none
  TermSize operator+(const TermSize& other) const { return {values + other.values, entries + other.entries}; }
  TermSize operator-(const TermSize& other) const { return {values - other.values, entries - other.entries}; }
};

class Stages {
 public:
  // `inducing`: final number of inducing inputs, or the maximum if `find_inducing`. `learned`: inducing inputs
  // are optimised; otherwise k-means over the first rows places them all at once. `minority`: rows of the rarer
  // class. `sample`: the most rows of a stage that does not have all; 0: any number. `distinct`: rows that a pass visits; 0: n.
  // `effort`: of the options.
  Stages(Index n, Index d, Index inducing, bool find_inducing, bool learned, Index minority, Index sample = 0,
         Index distinct = 0, double effort = 1);

  StagePlan first() const;
  // The first stage of a fit that starts from a model with m inducing inputs: all rows.
  StagePlan first_from_model(Index m) const { return staged(n_, std::min(m, target_)); }
  // Whether more inducing inputs are worth it after a stage of all rows with m inputs, which ended at this bound. `gain`:
  // over the last stage of all rows with fewer inputs, infinite if there is none; `price`: of sparsity; all in nats.
  bool worth_growing(const StagePlan& now, Index m, double bound, double gain, double price,
                     Index functions = 1, const TermSize& terms = {}) const;
  // The stage after one that ended with m inducing inputs, if it was not the last.
  StagePlan next(const StagePlan& now, Index m) const;
  // The final stage: all rows, m inducing inputs.
  StagePlan last(Index m) const;
  // Makes a stage of all rows the last one: even that of a cheap fit may go on for a moment.
  static void make_last(StagePlan& stage);
  // Makes it one without the patience of the last, because it leaves out rows.
  static void make_cheap(StagePlan& stage);

 private:
  StagePlan staged(Index rows, Index m) const;

  Index within_sample(Index rows) const { return sample_ > 0 ? std::min(rows, sample_) : rows; }

  Index n_, d_, first_rows_, first_m_, target_, sample_, distinct_;
  bool find_inducing_;
  double effort_;
};

// A stage has converged when doubling the work of the whole fit would, at the pace of the last few iterations,
// gain less than the tolerance, in its unit; after policy::long_work operations the tolerance has doubled, and so on.
// Work is counted, not timed, so the same fit gives bitwise the same result.
class ConvergenceTest {
 public:
  ConvergenceTest(double tolerance, double patience, Index rows)
      : tolerance_(tolerance), patience_(patience), rows_(rows) {}
  bool after(double value, double work);  // value after an iteration, and total work so far
  // The same iterations, judged with the patience of the last stage.
  bool reconsider(double patience);
  bool converged() const { return converged_; }

 private:
  struct Mark {
    double value, work;
  };
  bool judge();
  double tolerance_, patience_;
  Index rows_;
  std::deque<Mark> past_;
  bool converged_ = false;
};

// Operations of one pass. K, V and the pullback are shared by all latent functions. With terms, also of the algebra, which
// may then take longer than the rows.
double work_of_pass(Index rows, Index m, Index d, Index functions = 1, const TermSize& terms = {});

}  // namespace induce::detail
