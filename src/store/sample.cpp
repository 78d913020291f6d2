#include "store/sample.hpp"

#include <string>

#include <induce/error.hpp>

#include "linalg/random.hpp"

namespace induce::detail {
namespace {

// How many of the copies of the row at this place of a leaf are drawn.
Index drawn(Index leaf, Index place, Index copies, double share) {
  Index count = 0;
  std::uint64_t state = static_cast<std::uint64_t>(leaf);
  state = splitmix64(state) ^ static_cast<std::uint64_t>(place);
  for (Index copy = 0; copy < copies; ++copy)
    count += static_cast<double>(splitmix64(state) >> 11) * 0x1p-53 < share ? 1 : 0;
  return count;
}

}  // namespace

void OwnedRows::add(const double* rows, Index count, Index new_columns, const int* new_labels,
                    const double* new_weights) {
  if (count == 0) return;
  if (labels.empty()) columns = new_columns;
  if (columns != new_columns)
    throw data_error("rows of " + std::to_string(new_columns) + " columns follow rows of " +
                     std::to_string(columns));
  x.insert(x.end(), rows, rows + count * columns);
  labels.insert(labels.end(), new_labels, new_labels + count);
  if (new_weights)
    weights.insert(weights.end(), new_weights, new_weights + count);
  else
    weights.insert(weights.end(), static_cast<std::size_t>(count), 1.0);
}

OwnedRows draw_sample(const RowStore& rows, double share,
                      const std::function<void(Index row, Index copy)>& on_row) {
  const Leaves& leaves = rows.leaves();
  OwnedRows out;
  Vector x(rows.columns());
  for (Index leaf = 0; leaf < leaves.count(); ++leaf) {
    const Index first = leaves.begin[leaf], count = leaves.begin[leaf + 1] - first;
    Vector labels(count), weights(count), copies(count);
    rows.read(first, count, {.label = labels.data(), .weight = weights.data(), .copies = copies.data()});
    for (Index k = 0; k < count; ++k) {
      const Index times = drawn(leaves.first + leaf, k, static_cast<Index>(copies[k]), share);
      if (times == 0) continue;
      rows.read(first + k, 1, {.x = x.data()});
      const int label = static_cast<int>(labels[k]);
      const double weight = weights[k] / copies[k];
      for (Index time = 0; time < times; ++time) {
        out.add(x.data(), 1, rows.columns(), &label, &weight);
        if (on_row) on_row(first + k, time);
      }
    }
  }
  return out;
}

}  // namespace induce::detail
