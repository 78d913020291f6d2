#include "core/large_algebra.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "linalg/tiles.hpp"

namespace induce::detail {
namespace {

constexpr Index tile = 128;  // rows: products of such tiles have the speed of large ones

struct Tiling {
  explicit Tiling(const Matrix& matrix) : n(matrix.rows()), count((n + tile - 1) / tile) {}
  Index first(Index k) const { return k * tile; }
  Index rows(Index k) const { return std::min(tile, n - k * tile); }

  Index n, count;
};

// The tile of the lower triangle with this number, row by row: (0, 0), (1, 0), (1, 1), (2, 0), ...
std::pair<Index, Index> of_triangle(Index number) {
  auto i = static_cast<Index>((std::sqrt(8 * static_cast<double>(number) + 1) - 1) / 2);
  while (i * (i + 1) / 2 > number) --i;
  while ((i + 1) * (i + 2) / 2 <= number) ++i;
  return {i, number - i * (i + 1) / 2};
}

}  // namespace

bool factor_by_tiles(Matrix& L, const Tasks& tasks) {
  const Tiling tiling(L);
  for (Index k = 0; k < tiling.count; ++k) {
    const Index at = tiling.first(k), size = tiling.rows(k), below = tiling.count - k - 1;
    if (!tiles::cholesky(&L(at, at), size, tiling.n)) return false;
    tasks.run(below, [&](Index number) {
      const Index i = k + 1 + number;
      tiles::solve_right(&L(at, at), size, &L(tiling.first(i), at), tiling.rows(i), tiling.n);
    });
    tasks.run(below * (below + 1) / 2, [&](Index number) {
      const auto [row, column] = of_triangle(number);
      const Index i = tiling.first(k + 1 + row), j = tiling.first(k + 1 + column);
      tiles::subtract_product(&L(i, at), &L(j, at), tiling.rows(k + 1 + row), tiling.rows(k + 1 + column),
                              size, &L(i, j), tiling.n);
    });
  }
  for (Index k = 0; k < tiling.n; ++k)
    if (!std::isfinite(L(k, k))) return false;
  return true;
}

void complement_of_inverse_by_tiles(Matrix& L, Matrix& out, const Tasks& tasks) {
  const Tiling tiling(L);
  const Index n = tiling.n;
  out.resize(n, n);
  Matrix panel(n, tile);  // of L, while W takes its place
  for (Index j = tiling.count; j-- > 0;) {
    const Index at = tiling.first(j), size = tiling.rows(j), next = at + size, below = n - next;
    tiles::invert_lower(&L(at, at), size, n);
    // Sums below take the whole tile.
    L.block(at, at, size, size).triangularView<Eigen::StrictlyUpper>().setZero();
    if (below == 0) continue;
    panel.topLeftCorner(below, size) = L.block(next, at, below, size);
    tasks.run(tiling.count - j - 1, [&](Index number) {
      const Index i = tiling.count - 1 - number, row = tiling.first(i), rows = tiling.rows(i);
      tiles::minus_product(&L(row, next), panel.data(), rows, size, row + rows - next, n, &L(row, at));
      tiles::multiply_right(&L(at, at), size, &L(row, at), rows, n);
    });
  }
  // The longest sums first, which are those of the first rows.
  tasks.run(tiling.count * (tiling.count + 1) / 2, [&](Index number) {
    const auto [i, j] = of_triangle(number);
    const Index row = tiling.first(i), column = tiling.first(j), rows = tiling.rows(i),
                columns = tiling.rows(j);
    auto of_out = out.block(row, column, rows, columns);
    tiles::minus_inner_product(&L(row, row), &L(row, column), rows, columns, n - row, n, &out(row, column));
    if (i == j) {
      of_out.diagonal().array() += 1;
      for (Index k = 0; k < rows; ++k)
        for (Index l = k + 1; l < rows; ++l) of_out(k, l) = of_out(l, k);
    } else {
      out.block(column, row, columns, rows) = of_out.transpose();
    }
  });
}

}  // namespace induce::detail
