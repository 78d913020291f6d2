// Which tables are planned with a sample.
#include "fit/fit_rows.hpp"

#include <gtest/gtest.h>

namespace induce::testing {
namespace {

TEST(FitRows, AWideTableOfFewRowsIsNotLarge) {
  const Options options;
  EXPECT_FALSE(is_large(200, 50'000, options));
  EXPECT_FALSE(is_large(1000, 1'000'000, options));
  EXPECT_TRUE(is_large(1001, 1'000'000, options));
  EXPECT_TRUE(is_large(options.sample_rows + 1, 2, options));
  EXPECT_GE(sample_size(50'000, options), 1000U);
}

}  // namespace
}  // namespace induce::testing
