#include "train/row_splits.hpp"

#include <algorithm>
#include <numeric>

#include "linalg/random.hpp"
#include "train/policy.hpp"

namespace induce::detail {
namespace {

std::size_t group_at(const TrainingPlan& plan, Index row) {
  return static_cast<std::size_t>(plan.groups.of[plan.rows.table_row_of_user(row)]);
}

std::vector<Index> rows_of_groups(const TrainingPlan& plan, const std::vector<Index>& order) {
  std::vector<Index> rows;
  for (const Index row : order) {
    rows.resize(std::max(rows.size(), group_at(plan, row) + 1));
    ++rows[group_at(plan, row)];
  }
  return rows;
}

// Groups that have rows: in time from early to late, otherwise shuffled.
std::vector<std::size_t> groups_in_order(const TrainingPlan& plan, const std::vector<Index>& rows) {
  std::vector<std::size_t> groups;
  for (std::size_t g = 0; g < rows.size(); ++g)
    if (rows[g] > 0) groups.push_back(g);
  if (!plan.groups.in_time) Random(plan.seed).shuffle(groups);
  return groups;
}

// Marks the last groups that have at least this share of the rows, but not all groups.
std::vector<char> last_groups(const TrainingPlan& plan, const std::vector<Index>& order, double share) {
  const std::vector<Index> rows = rows_of_groups(plan, order);
  const std::vector<std::size_t> groups = groups_in_order(plan, rows);
  std::vector<char> last(rows.size(), 0);
  double left = share * static_cast<double>(order.size());
  for (std::size_t k = groups.size(); k-- > 1 && left > 0;) {
    last[groups[k]] = 1;
    left -= static_cast<double>(rows[groups[k]]);
  }
  return last;
}

// Moves rows of marked groups to the end; returns how many rows are before them.
Index move_to_end(const TrainingPlan& plan, const std::vector<char>& marked, std::vector<Index>& order) {
  return std::stable_partition(order.begin(), order.end(),
                               [&](Index row) { return !marked[group_at(plan, row)]; }) -
         order.begin();
}

// The largest groups first, each to the fold that has the fewest rows.
std::vector<Index> folds_of_groups(const TrainingPlan& plan, const std::vector<Index>& order, Index folds) {
  const std::vector<Index> rows = rows_of_groups(plan, order);
  std::vector<std::size_t> groups = groups_in_order(plan, rows);
  folds = std::min(folds, static_cast<Index>(groups.size()));
  std::stable_sort(groups.begin(), groups.end(),
                   [&](std::size_t a, std::size_t b) { return rows[a] > rows[b]; });
  std::vector<Index> fold_of_group(rows.size()), sums(static_cast<std::size_t>(folds), 0);
  for (const std::size_t group : groups) {
    const auto fewest = std::min_element(sums.begin(), sums.end());
    *fewest += rows[group];
    fold_of_group[group] = fewest - sums.begin();
  }
  std::vector<Index> fold_of(order.size());
  for (const Index row : order) fold_of[row] = fold_of_group[group_at(plan, row)];
  return fold_of;
}

// Rows are dealt to the folds like cards, one class after the other.
std::vector<Index> folds_of_rows(const TrainingPlan& plan, const std::vector<Index>& order, Index folds) {
  const auto class_of = [&](Index row) { return plan.targets.y[plan.rows.distinct_of(row)]; };
  std::vector<Index> by_class = order;
  std::stable_sort(by_class.begin(), by_class.end(),
                   [&](Index a, Index b) { return class_of(a) < class_of(b); });
  std::vector<Index> fold_of(order.size());
  for (std::size_t k = 0; k < by_class.size(); ++k) fold_of[by_class[k]] = static_cast<Index>(k) % folds;
  return fold_of;
}

}  // namespace

Folds arrange_folds(const TrainingPlan& plan, std::vector<Index>& order) {
  const auto n = static_cast<Index>(order.size());
  if (plan.groups.in_time) return {{move_to_end(plan, last_groups(plan, order, policy::latest), order), n}};
  const Index folds = n < policy::few_rows ? policy::folds_of_few : policy::usual_folds;
  const std::vector<Index> fold_of =
      plan.groups.of.empty() ? folds_of_rows(plan, order, folds) : folds_of_groups(plan, order, folds);
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return fold_of[a] < fold_of[b]; });
  Folds found{{0}};
  for (Index k = 1; k <= n; ++k)
    if (k == n || fold_of[order[k]] != fold_of[order[k - 1]]) found.begin.push_back(k);
  return found;
}

HeldOutRows arrange_held_out(const TrainingPlan& plan, std::vector<Index>& order, Index stage) {
  const auto n = static_cast<Index>(order.size());
  Index earlier = n;
  if (!plan.groups.of.empty())
    earlier = move_to_end(plan, last_groups(plan, order, plan.groups.in_time ? policy::latest : policy::half),
                          order);
  stage = std::min(stage, earlier);
  const Index held_out = std::min((earlier == n ? n - stage : n - earlier), policy::held_out_per_row * stage);
  if (earlier < n)  // those that judge come right after those of the stage
    std::rotate(order.begin() + stage, order.begin() + earlier, order.end());
  return {stage, held_out};
}

}  // namespace induce::detail
