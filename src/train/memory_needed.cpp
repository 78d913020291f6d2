#include "train/memory_needed.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <induce/error.hpp>

#include "rows/reducer.hpp"
#include "text/format.hpp"

namespace induce::detail {
namespace {

constexpr double double_bytes = sizeof(double), MiB = 1 << 20;

// The measured margin: the peak of a fit is that of so many points (memory_needed.hpp).
constexpr double points_at_once = 4;

// Less than this is no advice.
constexpr double fewest_rows = 100, fewest_inputs = 10, fewest_classes = 3;

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
  return needed;
}

std::string smaller_fit(const MethodTraits& method, const FitSize& size, const FitsIn& fits) {
  // The most of one of the sizes that fits, in two digits; empty if too little does. set(size, value): changes it.
  const auto at_most = [&](const std::string& what, double now, double least, bool others_follow,
                           const auto& set) -> std::string {
    double fitting = 0, too_many = now;
    while (too_many - fitting > 1) {
      const double middle = std::floor((fitting + too_many) / 2);
      FitSize with = size;
      set(with, middle);
      if (others_follow && with.follow) with.follow(with);
      with.m = std::min(with.m, with.n);
      (fits(memory_needed(method, with)) ? fitting : too_many) = middle;
    }
    const double unit = std::pow(10, std::max(0.0, std::floor(std::log10(std::max(fitting, 1.0))) - 1));
    const double shown = std::floor(fitting / unit) * unit;
    return shown < least ? "" : what + ", at most " + grouped(static_cast<unsigned long long>(shown));
  };
  const bool in_files = size.all > 0 && !size.all_here;
  const std::string rows =
      at_most(in_files ? "a smaller sample of rows (option sample_rows)" : "fewer rows",
              size.all_here ? size.all : size.n, fewest_rows, true, [&](FitSize& of, double n) {
                of.n = std::min(n, size.n);
                if (size.all_here) of.all = n;
              });
  const std::string inducing = at_most("fewer inducing inputs (option inducing)", size.m, fewest_inputs,
                                       false, [](FitSize& of, double m) { of.m = m; });
  const std::string classes = at_most("fewer classes", size.functions, fewest_classes, true,
                                      [](FitSize& of, double functions) { of.functions = functions; });
  const MemoryNeeded needed = memory_needed(method, size);
  std::string text;
  for (const std::string& each : needed.rows > needed.algebra ? std::array{rows, inducing, classes}
                                                              : std::array{inducing, rows, classes})
    if (!each.empty()) text += (text.empty() ? "" : ", or ") + each;
  return text;
}

MemoryNeeded require_memory(const MethodTraits& method, const FitSize& size, const AvailableMemory& room) {
  const MemoryNeeded needed = memory_needed(method, size);
  const bool narrow = needed.total() + needed.reserved > room.address_space;
  if (needed.total() <= room.machine && !narrow) return needed;
  const double available = narrow ? room.address_space : room.machine;
  const auto least = [&](const MemoryNeeded& of) {  // the cache may be left out
    return of.total() - of.kept + (narrow ? of.reserved : 0);
  };
  std::string text = "the fit needs about " + memory_text(least(needed) + needed.kept) + " of " +
                     (narrow ? "address space" : "memory") + " but only " + memory_text(available) +
                     " is available: ";
  if (least(needed) <= available) {
    text += "use less memory for the cache (option memory), now " + memory_text(needed.kept);
  } else {
    const double wanted = size.limit > 0 ? std::min(size.limit, available) : available;
    const std::string smaller =
        smaller_fit(method, size, [&](const MemoryNeeded& of) { return least(of) <= wanted; });
    if (wanted < available) text += "for memory = " + memory_text(wanted) + ", ";
    text += "use ";
    text += smaller.empty() ? "fewer rows and fewer inducing inputs (option inducing)" : smaller;
  }
  if (narrow && size.threads > 1) text += ", or fewer threads";
  throw data_error(text);
}

}  // namespace induce::detail
