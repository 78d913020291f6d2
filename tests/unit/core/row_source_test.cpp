// Rows may come from anywhere: a source that hands out copies gives the same bits as a table in memory. It is also the
// example of src/rows/README.md for a new source.
#include <gtest/gtest.h>

#include <algorithm>

#include "support/bridge.hpp"
#include "support/engine.hpp"
#include "support/random_problem.hpp"

namespace induce::testing {
namespace {

// Stands for a source that must fetch its rows, such as a file.
class CopiedRows final : public RowSource {
 public:
  explicit CopiedRows(const RowMatrix& X) : X_(X) {}
  Index n() const override { return X_.rows(); }
  Index d() const override { return X_.cols(); }
  Index buffer(Index rows) const override { return rows * d(); }
  RowBlock block(Index first, Index rows, double* buffer) const override {
    std::copy_n(X_.row(first).data(), rows * d(), buffer);
    return {first, rows, d(), buffer};
  }

 private:
  const RowMatrix& X_;
};

TEST(RowSource, CopiesGiveTheSameBitsAsATable) {
  const naive::Problem problem = random_problem(3, 3000, 20, 4);
  Engine engine(problem);
  engine.stage_one("newton", 2);
  for (const int threads : {1, 3}) {
    for (const std::size_t memory : {std::size_t{0}, std::size_t{1} << 30}) {
      Workers workers(threads);
      const CopiedRows rows(problem.X);
      Pass pass(rows, 20, workers, memory);
      EXPECT_EQ(pass.n(), 3000);
      EXPECT_EQ(pass.d(), 4);
      Collapsed collapsed;
      collapse(engine.frame, pass.first_half(engine.frame, engine.sites), collapsed);
      EXPECT_EQ(collapsed.F, engine.bound());
      Vector m, S2;
      const Gradient got = fixed_site_gradient(pass, engine.frame, {&collapsed, 1}, engine.sites, m, S2),
                     want = engine.fixed_site_gradient();
      EXPECT_TRUE(m == engine.m && S2 == engine.S2);
      EXPECT_TRUE(got.log_theta == want.log_theta && got.Z == want.Z);
    }
  }
}

}  // namespace
}  // namespace induce::testing
