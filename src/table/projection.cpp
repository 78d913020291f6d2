#include "table/projection.hpp"

#include <algorithm>

#include "rows/blocks.hpp"

namespace induce::detail {

void Projection::apply(const SparseView& table, std::size_t row, double* out) const {
  const Index q = features();
  std::fill_n(out, q, 0.0);
  auto from = column.begin();
  for (std::int64_t k = table.row_start[row]; k < table.row_start[row + 1]; ++k) {
    from = std::lower_bound(from, column.end(), table.column[k]);
    if (from == column.end()) return;
    if (*from != table.column[k]) continue;
    const double x = table.value[k];
    const double* w = W.data() + (from - column.begin()) * q;
    for (Index f = 0; f < q; ++f) out[f] += x * w[f];
  }
}

RowMatrix Projection::apply(const SparseView& table, Workers& workers) const {
  RowMatrix Z(static_cast<Index>(table.n), features());
  for_each_block(Blocks::light(Z.rows()), workers, [&](Index first, Index count, int /*worker*/) {
    for (Index i = first; i < first + count; ++i)
      apply(table, static_cast<std::size_t>(i), Z.data() + i * features());
  });
  return Z;
}

std::vector<std::string> Projection::names() const {
  std::vector<std::string> out;
  for (Index f = 0; f < features(); ++f) out.push_back("direction " + std::to_string(f + 1));
  return out;
}

}  // namespace induce::detail
