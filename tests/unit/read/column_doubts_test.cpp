// Warnings about numbers that are ids or codes.
#include "read/schema.hpp"

#include "temporary.hpp"

namespace induce::test {
namespace {

class ColumnDoubts : public TemporaryFiles {
 protected:
  // The doubts about one column of numbers.
  template <class Cell>
  Strings doubts(const std::string& name, int rows, Cell cell, const ReadOptions& options = {}) const {
    std::string text = name + ",y\n";
    for (int i = 0; i < rows; ++i) text += cell(i) + "," + std::to_string(i % 2) + "\n";
    return doubts_about_numbers(read(text, options));
  }
  static std::string shuffled(int i) { return std::to_string(1001 + i * 37 % 100); }
};

TEST_F(ColumnDoubts, WholeNumbersThatNeverRepeat) {
  const Strings found = doubts("x", 100, shuffled);
  ASSERT_EQ(found.size(), 1U);
  for (const char* part : {"column 1 ('x') looks like an id: 100 different whole numbers in 100 cells",
                           "used as a number", "--drop x", "--categorical x"})
    EXPECT_NE(found[0].find(part), std::string::npos) << found[0];
  ReadOptions options;
  options.numeric = {"x"};
  EXPECT_TRUE(doubts("x", 100, shuffled, options).empty());
  EXPECT_TRUE(doubts("x", 10, shuffled).empty());  // too few to tell
  EXPECT_TRUE(doubts("x", 100, [](int i) { return shuffled(i) + ".5"; }).empty());
}

TEST_F(ColumnDoubts, QuantitiesRepeatOrAreFarApart) {
  EXPECT_TRUE(doubts("level", 1000, [](int i) { return std::to_string(i % 17); }).empty());
  EXPECT_TRUE(doubts("age", 100, [](int i) { return std::to_string(20 + i * i % 60); }).empty());
  EXPECT_TRUE(
      doubts("income", 100, [](int i) { return std::to_string(20000 + i * i * 7919 % 90001); }).empty());
}

TEST_F(ColumnDoubts, NamesOfIdsAndCodes) {
  const auto few = [](int i) { return std::to_string(i % 5 * i % 7); };
  for (const char* name : {"PassengerId", "customer_id", "ID", "zip", "Zip Code", "postcode"})
    EXPECT_EQ(doubts(name, 30, few).size(), 1U) << name;
  for (const char* name : {"width", "Idea", "paid", "codes", "grid"})
    EXPECT_TRUE(doubts(name, 30, few).empty()) << name;
  EXPECT_TRUE(doubts("has_id", 30, [](int i) { return std::to_string(i % 2); }).empty());
}

TEST_F(ColumnDoubts, LeadingZeros) {
  for (const char* quote : {"", "\""}) {
    const Strings found = doubts(
        "x", 30, [&](int i) { return std::string(quote) + "0" + std::to_string(10 * (i % 4)) + quote; });
    ASSERT_EQ(found.size(), 1U);
    EXPECT_NE(found[0].find("has 30 numbers with leading zeros"), std::string::npos) << found[0];
  }
  EXPECT_TRUE(doubts("x", 30, [](int i) { return "0." + std::to_string(i % 4); }).empty());
}

}  // namespace
}  // namespace induce::test
