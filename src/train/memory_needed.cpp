#include "train/memory_needed.hpp"

#include <algorithm>
#include <cmath>

#include <induce/error.hpp>

#include "rows/reducer.hpp"
#include "train/stages.hpp"

namespace induce {
namespace {

constexpr double word = sizeof(double), MiB = 1 << 20;

// Address space that a thread reserves but barely uses: a stack, an allocator arena, a BLAS buffer.
constexpr double reserved_per_thread = 200 * MiB;

// Words that the optimizer needs per variable: its history of `pairs`, and work vectors.
double optimizer_words(double pairs) { return 2 * pairs + 5 + 15; }

SumTree tree_of(const FitSize& size) { return {Leaves::of(static_cast<Index>(size.n)).total}; }

// Number of m x m sums that a pass holds at a time.
double sums_of(const FitSize& size) { return static_cast<double>(tree_of(size).usual_sums(size.threads)); }

// Bytes of sums that a pass reserves without touching them.
double untouched_sums(const FitSize& size) {
  const SumTree tree = tree_of(size);
  const Index most = tree.max_sums(tree.leaves, size.threads);
  return word * size.functions * static_cast<double>(most - tree.usual_sums(size.threads)) * size.m * size.m;
}

// Candidates compete at first, with the features of one at a time.
double tables_of_growing_fit(const FitSize& size) {
  const Growth growth(static_cast<Index>(size.n), static_cast<Index>(size.d), static_cast<Index>(size.m),
                      size.find_inducing, size.learn_inputs, static_cast<Index>(size.minority));
  const bool all_rows = growth.first().rows == static_cast<Index>(size.n);
  return all_rows ? 2 : 1.25;  // a quarter: the stage before the last
}

// vi-newton. Per row: two points of 5 words and four sets of sites, for each latent function, the model so far, labels,
// weights, order.
MemoryNeeded needed_by_newton(const FitSize& size) {
  const double n = size.n, d = size.d, m = size.m, more = size.functions - 1;
  MemoryNeeded needed;
  needed.rows = word * n * (tables_of_growing_fit(size) * d + 40 + 24 * more);
  if (size.all_here)
    needed.rows += word * size.all * (14 + 12 * more);  // six sets of sites, order and weights
  const double variables = 3 + d + 2 * more + (size.learn_inputs ? m * d : 0);
  needed.algebra = word * ((26 + sums_of(size)) * m * m + (20 + sums_of(size)) * more * m * m +
                           (12 + sums_of(size)) * m * d + optimizer_words(20) * variables);
  // Instead of the second point: two factors over the rows that new inputs are drawn from.
  const double candidates = std::min(n, std::max(2000.0, 10.0 / 3 * m));
  if (size.learn_inputs) needed.algebra = std::max(needed.algebra, word * candidates * (m + 3 * d));
  return needed;
}

// Alg. 1 and its variants: four points of 7 words per row and 6 m x m; also xi per row if it is a variable.
MemoryNeeded needed_by_vi(const MethodRow& method, const FitSize& size) {
  const double n = size.n, d = size.d, m = size.m;
  MemoryNeeded needed;
  needed.rows = word * n * (d + 32 + (method.numeric & xi ? optimizer_words(10) : 0));
  if (size.all_here)
    needed.rows += word * size.all * 20;  // sites and residuals of four points, order and weights
  const double variables = 3 + d + (size.learn_inputs ? m * d : 0);
  needed.algebra =
      word * ((33 + sums_of(size)) * m * m + (16 + sums_of(size)) * m * d + optimizer_words(10) * variables);
  return needed;
}

// mu and the triangle of R are variables; the adjoints have an m x m matrix each.
MemoryNeeded needed_by_svi(const MethodRow& method, const FitSize& size) {
  const double n = size.n, d = size.d, m = size.m;
  MemoryNeeded needed;
  needed.rows = word * n * (d + 12);
  const double variables = 3 + d + m + m * (m + 1) / 2 + (size.learn_inputs ? m * d : 0);
  const double per_variable = method.optimizer == Optimizer::lbfgsb ? optimizer_words(10) : 8;
  needed.algebra =
      word * ((20 + 2 * sums_of(size)) * m * m + (16 + sums_of(size)) * m * d + per_variable * variables);
  return needed;
}

// The contents of a checkpoint, as numbers and again as bytes of a file: predictions of held-out rows or (of the tight bound)
// sites; two posteriors and their inputs.
double state_bytes(const MethodRow& method, const FitSize& size) {
  const double of_all = method.tight_trace ? 2 * size.all : 0;
  return 2 * word * (size.functions * (20 * size.n + of_all + 4 * size.m * size.m) + 4 * size.m * size.d);
}

}  // namespace

MemoryNeeded memory_needed(const MethodRow& method, const FitSize& size) {
  const double block = static_cast<double>(
      RowTree::over(Leaves::of(static_cast<Index>(size.n)), Blocks::rows_in_cache(static_cast<Index>(size.m)))
          .most_rows());
  MemoryNeeded needed = method.method == Method::vi_newton ? needed_by_newton(size)
                        : method.numeric & mu_Sigma        ? needed_by_svi(method, size)
                                                           : needed_by_vi(method, size);
  needed.workers = word * size.threads * block * (7 * size.m + 3 * size.d + 3);  // a sum of two kernels
  const double blocks = std::ceil(size.n / block), per_block = 2 * word * size.m * block;
  needed.reserved = size.threads * reserved_per_thread + untouched_sums(size);
  if (size.checkpoints) needed.stored = state_bytes(method, size);
  needed.functions = size.functions;
  needed.kept = per_block * std::min(blocks, std::floor(size.kept_limit / per_block));
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
    text += "use a smaller --memory, now " + memory_text(needed.kept);
  else
    text += needed.rows > needed.algebra ? "use fewer rows" : "use a smaller m (--inducing)";
  if (needed.functions > 1 && least > available) text += " or fewer classes";
  if (narrow && threads > 1) text += " or fewer --threads";
  throw data_error(text);
}

}  // namespace induce
