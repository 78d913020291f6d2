#include "store/sample.hpp"

#include "state/random.hpp"

namespace induce {
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

OwnedRows draw_sample(const OrderedRows& rows, double share) {
  const Leaves& leaves = rows.leaves();
  std::vector<Index> chosen;  // a row as often as it is drawn
  std::vector<double> weight;
  for (Index leaf = 0; leaf < leaves.count(); ++leaf) {
    const Index first = leaves.begin[leaf], count = leaves.begin[leaf + 1] - first;
    Vector copies(count), weights(count);
    rows.read_copies(first, count, copies.data());
    rows.read(first, count, nullptr, nullptr, weights.data());
    for (Index k = 0; k < count; ++k) {
      const Index times = drawn(leaves.first + leaf, k, static_cast<Index>(copies[k]), share);
      chosen.insert(chosen.end(), static_cast<std::size_t>(times), first + k);
      weight.insert(weight.end(), static_cast<std::size_t>(times), weights[k] / copies[k]);
    }
  }
  OwnedRows out;
  out.X.resize(static_cast<Index>(chosen.size()), rows.columns());
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    double label = 0;
    rows.read(chosen[i], 1, out.X.row(static_cast<Index>(i)).data(), &label, nullptr);
    out.labels.push_back(static_cast<int>(label));
  }
  out.weights = std::move(weight);
  return out;
}

}  // namespace induce
