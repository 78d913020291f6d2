#include "train/memory_needed.hpp"

#include <algorithm>
#include <cmath>

#include <induce/error.hpp>

#include "rows/reducer.hpp"

namespace induce::detail {
namespace {

constexpr double double_bytes = sizeof(double), MiB = 1 << 20;

// The measured margin: the peak of a fit is that of so many points (memory_needed.hpp).
constexpr double points_at_once = 4;

// Address space that a thread reserves but barely uses: a stack, an allocator arena, a BLAS buffer.
constexpr double reserved_per_thread = 200 * MiB;

SumTree tree_of(const FitSize& size) { return {Leaves::of(static_cast<Index>(size.n)).total}; }

// Number of m x m sums that a pass holds at a time.
double sums_of(const FitSize& size) { return static_cast<double>(tree_of(size).usual_sums(size.threads)); }

// Numbers of products in a sum.
double squares_of(const FitSize& size) {
  return size.m * size.m + size.m * size.values + size.values * size.values / 2;
}

// Bytes of sums that a pass reserves without touching them.
double untouched_sums(const FitSize& size) {
  const SumTree tree = tree_of(size);
  const Index most = tree.max_sums(tree.leaves, size.threads);
  return double_bytes * size.functions * static_cast<double>(most - tree.usual_sums(size.threads)) *
         squares_of(size);
}

// Pairs in the optimizer's history.
double pairs_of(const MethodTraits& method) {
  if (method.optimizer != Optimizer::lbfgsb) return 0;
  return method.method == Method::vi_newton ? 20 : 10;
}

double variables_of(const MethodTraits& method, const FitSize& size) {
  const double m = size.m, d = size.d;
  return 3 + d + 2 * (size.functions - 1) + (size.learn_inputs ? m * d : 0) +
         (method.numeric & Variables::mu_Sigma ? m + m * (m + 1) / 2 : 0) +
         (method.numeric & Variables::xi ? size.n : 0);
}

}  // namespace

MemoryNeeded memory_needed(const MethodTraits& method, const FitSize& size) {
  const double n = size.n, d = size.d, m = size.m, C = size.functions, s = sums_of(size);
  const double variables = variables_of(method, size), history = 2 * pairs_of(method) * variables;
  const double block = static_cast<double>(
      RowTree::over(Leaves::of(static_cast<Index>(n)), Blocks::rows_in_cache(static_cast<Index>(m)))
          .most_rows());
  MemoryNeeded needed;
  const double point_rows = 10 * C * n + (size.all_here ? 5 * C * size.all : 0);
  const double M = m + size.values, squares = C * (m * m + M * M);
  const double point_algebra = 4 * squares + 4 * m * d + 5 * variables;
  needed.rows = double_bytes * (2 * n * d + points_at_once * point_rows);
  needed.algebra =
      double_bytes * (s * (C * squares_of(size) + m * d) + history + points_at_once * point_algebra);
  needed.workers = double_bytes * size.threads * block * (7 * m + 3 * d + 3);  // a sum of two kernels
  const double blocks = std::ceil(n / block), per_block = 2 * double_bytes * m * block;
  needed.kept = per_block * std::min(blocks, std::floor(size.kept_limit / per_block));
  // The state of two points, D and P of each posterior, as numbers and again as the bytes of a file.
  if (size.checkpoints)
    needed.stored = 2 * double_bytes * (2 * (point_rows + squares + m * d + variables) + history);
  needed.reserved = size.threads * reserved_per_thread + untouched_sums(size);
  needed.functions = C;
  return needed;
}

void require_memory(const MemoryNeeded& needed, int threads, const AvailableMemory& room) {
  const bool narrow = needed.total() + needed.reserved > room.address_space;
  if (needed.total() <= room.machine && !narrow) return;
  const double available = narrow ? room.address_space : room.machine;
  const double least = needed.total() - needed.kept + (narrow ? needed.reserved : 0);
  std::string text = "the fit needs about " + memory_text(least + needed.kept) + " of " +
                     (narrow ? "address space" : "memory") + " but only " + memory_text(available) +
                     " is available: ";
  if (least <= available)
    text += "use less memory for the cache (option memory), now " + memory_text(needed.kept);
  else
    text += needed.rows > needed.algebra ? "use fewer rows" : "use fewer inducing inputs (option inducing)";
  if (needed.functions > 1 && least > available) text += " or fewer classes";
  if (narrow && threads > 1) text += " or fewer threads";
  throw data_error(text);
}

}  // namespace induce::detail
