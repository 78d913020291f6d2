// Which rows of the training table are held out: the order of the user's rows, and where its parts begin.
//
// Without groups every row is on its own. Rows of one group (TrainingPlan::groups) are always on one side. In time, groups
// are moments, and those that are held out are the latest.
#pragma once

#include <vector>

#include "train/plan.hpp"

namespace induce::detail {

// The folds of cross-validation, one after the other in the order; begin has one number more than there are folds.
struct Folds {
  std::vector<Index> begin;

  Index count() const { return static_cast<Index>(begin.size()) - 1; }
  Index first(Index fold) const { return begin[static_cast<std::size_t>(fold)]; }
  Index rows(Index fold) const { return first(fold + 1) - first(fold); }
  Index rows() const { return begin.back() - begin.front(); }
};

// Sorts the rows into folds: four, ten of fewer than 500 rows, at most as many as there are groups. Without groups they
// have the same share of each class, with groups about the same number of rows. In time there is one, the latest fifth.
Folds arrange_folds(const TrainingPlan& plan, std::vector<Index>& order);

// The rows of a first stage and those after them that judge it.
struct HeldOutRows {
  Index stage = 0, held_out = 0;
};

// At most `stage` rows for the stage. Groups are dealt to two sides of about equal size; in time, the latest fifth judges.
HeldOutRows arrange_held_out(const TrainingPlan& plan, std::vector<Index>& order, Index stage);

}  // namespace induce::detail
