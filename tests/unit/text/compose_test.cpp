#include "text/compose.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace induce::testing {
namespace {

TEST(Compose, EmptyWordsAreNotJoined) {
  EXPECT_EQ(joined({"a", "", "b"}), "a, b");
  EXPECT_EQ(joined({"", "a"}, " "), "a");
  EXPECT_EQ(joined({}), "");
}

TEST(Compose, EveryPlaceIsFilledOnce) {
  EXPECT_EQ(filled("@A@ + @B@ + @A@", {{"A", "@B@x"}, {"B", "2"}}), "@B@x + 2 + @B@x");
  EXPECT_EQ(filled("no place", {}), "no place");
  EXPECT_THROW(filled("@A@", {{"B", "2"}}), std::logic_error);
}

}  // namespace
}  // namespace induce::testing
