#include "text/words.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace induce::testing {
namespace {

TEST(Words, NumbersAreShortest) {
  EXPECT_EQ(shortest(4), "4");
  EXPECT_EQ(shortest(0.1), "0.1");
  EXPECT_EQ(shortest(-2.5), "-2.5");
  EXPECT_EQ(shortest(1e300), "1e+300");
  EXPECT_EQ(shortest(std::numeric_limits<double>::infinity()), "inf");
}

TEST(Words, FeaturesAreCountedFromZero) { EXPECT_EQ(unnamed_feature(3), "feature 3"); }

TEST(Words, SingularAndPlural) {
  EXPECT_EQ(noun(0, "row"), "rows");
  EXPECT_EQ(noun(1, "row"), "row");
  EXPECT_EQ(noun(2, "row"), "rows");
  EXPECT_EQ(noun(1, "pass", "passes"), "pass");
  EXPECT_EQ(noun(3, "pass", "passes"), "passes");
}

}  // namespace
}  // namespace induce::testing
