#include "train/staged_fit.hpp"

#include <numeric>

#include "linalg/random.hpp"
#include "train/plan_kernels.hpp"

namespace induce::detail {

Draw StagedFit::draw(Index first, Index count) const {
  std::vector<Index> rows;
  for (Index k = first; k < first + count; ++k) rows.push_back(row_at(k));
  Draw drawn = plan().rows.draw(rows);
  if (count < static_cast<Index>(order.size())) return drawn;
  // All rows: a weight of two and two copies give the same order, and so the same bits.
  std::vector<Index> distinct(drawn.distinct.size());
  std::iota(distinct.begin(), distinct.end(), Index{0});
  Random(plan().seed).shuffle(distinct);
  std::vector<Index> place_of(distinct.size());
  for (std::size_t k = 0; k < distinct.size(); ++k) place_of[distinct[k]] = static_cast<Index>(k);
  for (Index& place : drawn.place) place = place_of[drawn.distinct[place]];
  drawn.distinct = std::move(distinct);
  drawn.weight = plan().rows.weight()(drawn.distinct);
  return drawn;
}

bool StagedFit::must_leave_time(double share) const {
  const Monitor& monitor = context.monitor;
  return monitor.must_stop() || monitor.seconds() > share * (monitor.seconds() + monitor.seconds_left());
}

TrainingSide StagedFit::all_rows() const {
  const TrainingPlan& all = plan();
  return {.first_row = 0, .kernels = {std::shared_ptr<void>(), &all.kernels}, .table = all.rows.table()};
}

TrainingSide StagedFit::without(Index held_out, Index count, Index first_row) const {
  const TrainingPlan& all = plan();
  TrainingSide side{.first_row = first_row, .kernels = {}, .table = all.rows.table()};
  if (all.table_without) {
    std::vector<char> unknown(all.rows.table().n, 0);
    for (Index k = held_out; k < held_out + count; ++k) unknown[all.rows.table_row_of_user(row_at(k))] = 1;
    side.own_table = std::make_shared<const RowMatrix>(all.table_without(unknown));
    side.table.x = side.own_table->data();
  }
  const Draw rest = draw(held_out + count, static_cast<Index>(order.size()) - count);
  side.kernels = std::make_shared<const std::vector<KernelPlan>>(plan_kernels(all, rest));
  return side;
}

}  // namespace induce::detail
