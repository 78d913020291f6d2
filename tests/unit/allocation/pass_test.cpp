// A warm pass does not allocate. Oracle: a counter in malloc. (A separate program because it replaces malloc.
// Skipped under sanitizers, which replace malloc too.)
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include <atomic>
#include <cstdlib>

#include "linalg/random.hpp"
#include "support/class_engine.hpp"
#include "support/engine.hpp"

namespace {
std::atomic<long> allocations{0};
}

#if defined(__GLIBC__) && !defined(INDUCE_SANITIZED)
#define INDUCE_COUNTS_ALLOCATIONS 1
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void* malloc(std::size_t size) {
  ++allocations;
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  ++allocations;
  return __libc_calloc(count, size);
}
void* realloc(void* at, std::size_t size) {
  ++allocations;
  return __libc_realloc(at, size);
}
void* memalign(std::size_t alignment, std::size_t size) {
  ++allocations;
  return __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  ++allocations;
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** at, std::size_t alignment, std::size_t size) {
  ++allocations;
  *at = __libc_memalign(alignment, size);
  return *at ? 0 : 12;
}
}
#endif

namespace induce::testing {
namespace {

TEST(Allocation, CounterWorks) {
#ifndef INDUCE_COUNTS_ALLOCATIONS
  GTEST_SKIP() << "the sanitizer has its own allocator";
#endif
  const long before = allocations;
  Vector* made = new Vector(1000);
  EXPECT_GE(allocations - before, 2);
  delete made;
}

// With and without cached blocks, few and many features (two ways to compute distances), two threads.
TEST(Allocation, AWarmPassDoesNotAllocate) {
#ifndef INDUCE_COUNTS_ALLOCATIONS
  GTEST_SKIP() << "the sanitizer has its own allocator";
#endif
  for (const std::size_t memory : {std::size_t{0}, std::size_t{1} << 28}) {
    for (const Index d : {3, 30}) {
      Random random(7);
      RowMatrix X(5000, d);
      for (double& x : X.reshaped()) x = random.normal();
      const auto kernel = make_kernel("se", {.d = d, .noise = true});
      const Prior prior{.theta = kernel->start(), .mean = 0, .Z = X.topRows(40)};
      Sites sites(X.rows());
      sites.w.setConstant(0.2);
      sites.t.setConstant(0.5);

      Workers workers(2);
      Pass pass(X, 40, workers, memory);
      const Frame frames[2] = {make_frame(kernel, prior), make_frame(kernel, prior)};
      Collapsed collapsed;
      Vector m, S2;
      const Response response = [&sites](Index first, Index count, const double* mean, const double*,
                                         double* g, double* s) {
        for (Index i = 0; i < count; ++i) {
          g[i] = sites.t[first + i] - sites.w[first + i] * mean[i];
          s[i] = -sites.w[first + i] / 2;
        }
      };
      // A thread that was late in the first runs may be cold in a later one: the fewest of several count.
      long counted = std::numeric_limits<long>::max();
      for (const int run : {0, 1, 2, 3, 4, 5}) {
        const Frame& frame = frames[run % 2];
        const long before = allocations;
        collapse(frame, pass.first_half(frame, sites), collapsed);
        pass.marginals(frame, collapsed.q, m, S2);
        pass.second_half(frame, collapsed.q, response, false, m, S2);
        counted = std::min(counted, allocations - before);
      }
      EXPECT_EQ(counted, 0) << "d = " << d << ", memory = " << memory;
      EXPECT_TRUE(collapsed.ok);
    }
  }
}

// The same for three latent functions, with the likelihood's integrals: a round of a fit.
// The algebra between the halves is not part of it: it has matrices of all values.
TEST(Allocation, AWarmPassWithTermsDoesNotAllocate) {
#ifndef INDUCE_COUNTS_ALLOCATIONS
  GTEST_SKIP() << "the sanitizer has its own allocator";
#endif
  Random random(7);
  RowMatrix X(5000, 3);
  for (double& x : X.reshaped()) x = random.normal();
  KernelSetting setting{.d = 3};
  for (Index f = 0; f < 3; ++f)
    setting.axes.push_back(
        {.first = f, .count = 1, .value = f, .knots = {-1, -.5, 0, 1}, .ranks = {.1, .3, .5, .8}});
  setting.pair_axes = setting.axes;
  const auto kernel = make_kernel("se+mains+pairs:0*1,1*2", setting);
  const Prior prior{.theta = kernel->start(), .mean = 0, .Z = X.topRows(40)};
  Sites sites(X.rows());
  sites.w.setConstant(0.2);
  sites.t.setConstant(0.5);
  Workers workers(2);
  Pass pass(X, 40, workers);
  const Frame frame = make_frame(kernel, prior);
  const Response response = [&sites](Index first, Index count, const double* mean, const double*, double* g,
                                     double* s) {
    for (Index i = 0; i < count; ++i) {
      g[i] = sites.t[first + i] - sites.w[first + i] * mean[i];
      s[i] = -sites.w[first + i] / 2;
    }
  };
  Collapsed collapsed;
  Vector m, S2;
  long first = std::numeric_limits<long>::max(), second = first;
  for (int run = 0; run < 6; ++run) {
    long before = allocations;
    Sums& sums = pass.first_half(frame, sites);
    first = std::min(first, allocations - before);
    collapse(frame, sums, collapsed);
    before = allocations;
    pass.second_half(frame, collapsed.q, response, false, m, S2);
    second = std::min(second, allocations - before);
  }
  EXPECT_EQ(first, 0);
  EXPECT_EQ(second, 0);
}

TEST(Allocation, AWarmRoundOfThreeClassesDoesNotAllocate) {
#ifndef INDUCE_COUNTS_ALLOCATIONS
  GTEST_SKIP() << "the sanitizer has its own allocator";
#endif
  for (const std::size_t memory : {std::size_t{0}, std::size_t{1} << 28}) {
    naive::ClassProblem problem = random_class_problem(8, 3000, 30, 3);
    ClassEngine engine(problem, 2, memory);
    engine.start();
    const auto rule = make_site_rule("newton", engine.likelihood);
    const FunctionResponse response = [&](Index c, Index first, Index count, const double* mean,
                                          const double*, double* g, double* s) {
      for (Index i = 0; i < count; ++i) {
        const Index at = (first + i) * 3 + c;
        g[i] = engine.sites.t[at] - engine.sites.w[at] * mean[i];
        s[i] = -engine.sites.w[at] / 2;
      }
    };
    const Frame frames[2] = {engine.frame, make_frame(engine.kernel, engine.frame.prior)};
    long counted = std::numeric_limits<long>::max(), counted_sites = counted;
    for (const int run : {0, 1, 2, 3, 4, 5}) {
      const Frame& frame = frames[run % 2];
      long before = allocations;
      Sums& sums = engine.pass.first_half(frame, engine.sites);
      for (Index c = 0; c < 3; ++c) collapse(frame, sums, engine.collapsed[static_cast<std::size_t>(c)], c);
      engine.pass.marginals(frame, engine.q(), engine.m, engine.S2);
      engine.pass.second_half(frame, engine.q(), response, engine.m, engine.S2);
      counted = std::min(counted, allocations - before);
      before = allocations;
      rule->refresh(engine.targets.y.data(), engine.m.data(), engine.S2.data(), 500, engine.sites.w.data(),
                    engine.sites.t.data(), engine.sites.c.data());
      counted_sites = std::min(counted_sites, allocations - before);
    }
    EXPECT_EQ(counted, 0) << "pass, memory = " << memory;
    EXPECT_EQ(counted_sites, 0) << "sites";
  }
}

}  // namespace
}  // namespace induce::testing
