// Levels of categories, and dates.
#include "read/levels.hpp"

#include <gtest/gtest.h>

#include "read/text_values.hpp"

namespace induce::test {
namespace {

using Names = std::vector<std::string>;
using Codes = std::vector<int>;

TEST(Levels, TextsAreTrimmedMergedAndSorted) {
  const Levels found = find_levels({" red", "blue", "red ", "", "NA", "Red", "\tblue"});
  EXPECT_EQ(found.names, (Names{"Red", "blue", "red"}));
  EXPECT_EQ(found.level, (Codes{2, 1, 2, -1, -1, 0, 1}));
}

TEST(Levels, NumbersAreInShortestForm) {
  const Levels found = find_levels({"1", "1.0", "+1", "10", "-0", "2.50", "?"});
  EXPECT_EQ(found.names, (Names{"0", "1", "10", "2.5"}));
  EXPECT_EQ(found.level, (Codes{1, 1, 1, 2, 0, 3, -1}));
  EXPECT_EQ(find_levels({"1", "1.0", "x"}).names, (Names{"1", "1.0", "x"}));  // not all are numbers
}

TEST(Levels, Booleans) {
  const Levels found = find_levels({"TRUE", "False", "true", "nan", "false"});
  EXPECT_EQ(found.names, (Names{"false", "true"}));
  EXPECT_EQ(found.level, (Codes{1, 0, 1, -1, 0}));
  EXPECT_EQ(find_levels({"TRUE", "maybe"}).names, (Names{"TRUE", "maybe"}));
}

TEST(Levels, OnlyMissing) {
  EXPECT_TRUE(find_levels({"", "null"}).names.empty());
  EXPECT_EQ(find_levels({"", "None"}).level, (Codes{-1, -1}));
  EXPECT_TRUE(find_levels({}).level.empty());
}

TEST(Levels, MatchKnownOnes) {
  const Column texts{ColumnKind::category, {"1.0", "blue", "red"}};
  EXPECT_EQ(match_levels({"red ", "green", "", "1", "1.0"}, texts), (Codes{2, 3, -1, 3, 0}));
  const Column numbers{ColumnKind::category, {"1", "10", "2.5"}};
  EXPECT_EQ(match_levels({"1.00", "+10", "2.5", "3", "x", "NaN"}, numbers), (Codes{0, 1, 2, 3, 3, -1}));
  const Column booleans{ColumnKind::boolean, {"false", "true"}};
  EXPECT_EQ(match_levels({"True", "FALSE", "1", "0.0", "2", "yes", "NA"}, booleans),
            (Codes{1, 0, 1, 0, 2, 2, -1}));
  const Column always{ColumnKind::boolean, {"true"}};
  EXPECT_EQ(match_levels({"True", "False"}, always), (Codes{0, 1}));
}

TEST(Dates, Accepted) {
  const struct {
    const char* text;
    double days;
  } dates[] = {{"1970-01-01", 0},
               {"1970-01-02", 1},
               {"1969-12-31", -1},
               {"2000-02-29", 11016},
               {"2023-01-05", 19362},
               {"2023-01-05 12:00", 19362.5},
               {"2023-01-05T06:00:00", 19362.25},
               {"2023-01-05 00:00:43.2", 19362.0005},
               {"2023-01-05T12:00Z", 19362.5},
               {"2023-01-05T12:00:00+06:00", 19362.25},
               {"2023-01-05T12:00:00-0600", 19362.75},
               {"2023-01-05 12:00+12", 19362}};
  for (const auto& [text, expected] : dates) {
    double days = 1e9;
    EXPECT_TRUE(is_date(text, days)) << text;
    EXPECT_NEAR(days, expected, 1e-12 * 19362) << text;
  }
}

TEST(Dates, Refused) {
  double days = 0;
  for (const char* text :
       {"", "2023", "2023-01", "2023-13-01", "2023-02-29", "2023-00-10", "05-01-2023", "2023-01-05 ",
        "2023-01-05x", "2023-01-05 24:00", "2023-01-05 10:60", "2023-01-05 10:00:61", "2023-01-05 10:00:00.",
        "2023-01-05T10:00+2", "2023-01-05T10:00+25:00", "2023-01-05T", "20230105", "2023-01-05 10:00 UTC"})
    EXPECT_FALSE(is_date(text, days)) << text;
}

}  // namespace
}  // namespace induce::test
