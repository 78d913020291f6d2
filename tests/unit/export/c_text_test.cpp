// Names and numbers as C source. Oracles: what C reads back, written down by hand; the bits of a number.
#include "export/c_text.hpp"

#include <cstdlib>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace induce::detail::c_source {
namespace {

TEST(CText, NamesCannotEndACommentALiteralOrATag) {
  EXPECT_EQ(escaped("plain_Name 1.5+x"), "plain_Name 1.5+x");
  EXPECT_EQ(escaped("*/"), "\\052\\057");
  EXPECT_EQ(escaped("\"\\'"), "\\042\\134\\047");
  EXPECT_EQ(escaped("\?\?/"), "\\077\\077\\057");
  EXPECT_EQ(escaped("<script>&"), "\\074script\\076\\046");
  EXPECT_EQ(escaped("a\nb\r\t\x1b\x7f"), "a\\012b\\015\\011\\033\\177");
  EXPECT_EQ(escaped("\xe2\x80\xae\xff"), "\\342\\200\\256\\377");  // right to left, and no UTF-8
  EXPECT_EQ(escaped(std::string("0\0001", 3)), "0\\0001");         // three digits, whatever follows
  EXPECT_EQ(escaped("%s@"), "\\045s\\100");
  std::string every;
  for (int c = 0; c < 256; ++c) every += static_cast<char>(c);
  for (const char c : escaped(every)) EXPECT_TRUE(c >= ' ' && c <= '~');
}

TEST(CText, LongNamesAreAbbreviatedForPeopleAndNotForPrograms) {
  const std::string longer(longest_shown + 1, 'x'), longest(longest_literal, 'x');
  EXPECT_TRUE(shown(longer).starts_with("xxxxxxxx") && shown(longer).ends_with("xx... (61 bytes)"));
  EXPECT_EQ(shown(longer).size(), longest_shown + 14);
  EXPECT_EQ(literal(longer).size(), longer.size() + 2);
  EXPECT_EQ(literal(longest).size(), longest.size() + 2);
  EXPECT_EQ(literal(longest + "x"), "0");
  EXPECT_EQ(literal(""), "\"\"");
}

TEST(CText, NumbersAreDoublesWithTheSameBits) {
  EXPECT_EQ(number(1), "1.0");
  EXPECT_EQ(number(-0.0), "-0.0");
  EXPECT_EQ(number(1e300), "1e+300");
  for (const double value : {0.1, 1.0 / 3, -2.5e-310, std::numeric_limits<double>::max(), 123456789.0})
    EXPECT_EQ(std::strtod(number(value).c_str(), nullptr), value);
}

TEST(CText, ArraysAreNeverEmptyAndHaveShortLines) {
  EXPECT_EQ(array("x", std::vector<double>{1, 0.5}), "  static const double x[2] = {\n    1.0, 0.5};\n");
  EXPECT_EQ(array("x", std::vector<std::size_t>{}), "  static const int x[1] = {\n    0};\n");
  EXPECT_EQ(array("x", std::vector<std::size_t>{7, static_cast<std::size_t>(-1)}),
            "  static const int x[2] = {\n    7, -1};\n");
  const std::string text = array("x", std::vector<double>(1000, 0.12345678901234567));
  std::size_t begin = 0;
  for (std::size_t end = text.find('\n'); end != std::string::npos;
       begin = end + 1, end = text.find('\n', begin))
    EXPECT_LE(end - begin, 120U);
}

}  // namespace
}  // namespace induce::detail::c_source
