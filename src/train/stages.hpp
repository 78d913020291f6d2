// The plan of a fit whose rows and inducing inputs grow: which stage follows which.
//
// Theta and Z need far fewer rows than q to be nearly right, and the first inducing inputs tell where the
// next ones belong. So a fit starts with few of both:
//   1. rows grow fourfold, from a few thousand to all;
//   2. inducing inputs grow, up to the number asked for, or until doubling them is worth less than
//      `worth_doubling` nats a row;
//   3. the last stage has all of both and the final tolerance: where the fit ends depends on it alone, only
//      how soon on the earlier ones.
#pragma once

#include <deque>

#include "state/archive.hpp"
#include "linalg/types.hpp"

namespace induce {

struct Stage {
  Index rows = 0, m = 0;
  double tolerance = 0;  // of ConvergenceTest, in nats a row
  bool last = false;

  void archive(Archive& a);
};

class Growth {
 public:
  // `inducing`: how many to end with, or with `find_out` at the most. `learned`: inducing inputs move; if they do
  // not, k-means over the first rows places them all at once. `minority`: rows of the rarer class.
  Growth(Index n, Index d, Index inducing, bool find_out, bool learned, Index minority);

  Stage first() const;
  // After a stage that has ended with m inducing inputs (fewer than planned if no more were to be found);
  // `gain` is that of the bound, in nats a row, over the last stage of all rows that had fewer.
  Stage next(const Stage& now, Index m, double gain) const;
  // All rows, these inducing inputs, and no more.
  Stage last(Index m) const;

 private:
  Stage staged(Index rows, Index m) const;

  Index n_, first_rows_, first_m_, target_;
  bool find_out_;
};

// Has a stage converged? When as much work as the whole fit has cost so far would, at the pace of the last few
// iterations, gain less than the tolerance. Work is counted, not timed: the same fit ends at the same bits.
class ConvergenceTest {
 public:
  ConvergenceTest(double tolerance, double patience) : tolerance_(tolerance), patience_(patience) {}
  bool after(double value, double work);  // the value that an iteration reached, and all work so far
  bool converged() const { return converged_; }
  void archive(Archive& a);

 private:
  struct Mark {
    double value, work;
  };
  double tolerance_, patience_;
  std::deque<Mark> past_;
  bool converged_ = false;
};

// Of one pass, in operations.
double work_of_pass(Index rows, Index m, Index d);

}  // namespace induce
