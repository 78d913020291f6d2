// Rows that cannot be read, at any block of a pass. Oracles: the error itself, and the bits of a pass without one.
#include <gtest/gtest.h>

#include <atomic>
#include <string>

#include <induce/error.hpp>

#include "core/gradient.hpp"
#include "support/bridge.hpp"
#include "support/engine.hpp"
#include "support/random_problem.hpp"

namespace induce::testing {
namespace {

// Fails when its k-th block is asked for, and from then on until it is mended.
class FailingRows final : public RowSource {
 public:
  explicit FailingRows(const RowMatrix& X) : rows_(X, 10) {}
  Index n() const override { return rows_.n(); }
  Index d() const override { return rows_.d(); }
  Leaves leaves() const override { return rows_.leaves(); }
  Index buffer(Index rows) const override { return rows_.buffer(rows); }
  RowBlock block(Index first, Index rows, double* buffer) const override {
    if (++asked > fails_after) throw data_error("the disk is gone");
    return rows_.block(first, rows, buffer);
  }

  mutable std::atomic<int> asked = 0;
  int fails_after = 1 << 30;

 private:
  DenseRows rows_;
};

TEST(FailingRows, EndAPassWithTheirError) {
  const naive::Problem problem = random_problem(3, 2000, 8, 3);
  Engine engine(problem);
  engine.stage_one("newton", 2);
  for (const int threads : {1, 3}) {
    Workers workers(threads);
    FailingRows rows(problem.X);
    Pass pass(rows, 8, workers);
    const auto whole = [&] {
      Collapsed collapsed;
      collapse(engine.frame, pass.first_half(engine.frame, engine.sites), collapsed);
      Vector m, S2;
      const Gradient gradient = fixed_site_gradient(pass, engine.frame, {&collapsed, 1}, engine.sites, m, S2);
      pass.marginals(engine.frame, collapsed.q, m, S2);
      return std::tuple(collapsed.F, gradient.log_theta, m);
    };
    const auto want = whole();
    const int blocks = rows.asked;
    ASSERT_GT(blocks, 300);
    for (int k = 0; k < blocks; ++k) {
      rows.asked = 0;
      rows.fails_after = k;
      try {
        whole();
        FAIL() << k << " of " << blocks;
      } catch (const Error& error) {
        EXPECT_STREQ(error.what(), "the disk is gone");
      }
      rows.fails_after = 1 << 30;  // the same pass goes on as if nothing had been
      if (k % 50 == 0) {
        EXPECT_TRUE(whole() == want) << k;
      }
    }
  }
}

}  // namespace
}  // namespace induce::testing
