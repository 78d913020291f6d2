// Names on a page: whatever they contain, they are text.
#include <gtest/gtest.h>

#include "page/html.hpp"
#include "text/format.hpp"

namespace induce::testing {
namespace {

TEST(Html, MarkupIsText) {
  EXPECT_EQ(escape("<script>alert(\"1\")</script>"), "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;");
  EXPECT_EQ(shown_name("a&b"), "<bdi>a&amp;b</bdi>");
  EXPECT_EQ(for_script("{\"a\":\"</script><!--&\"}"), "{\"a\":\"\\u003c/script\\u003e\\u003c!--\\u0026\"}");
}

// Oracle: the table of well-formed sequences of the Unicode standard (table 3-7).
TEST(Html, BytesThatAreNotUtf8AreReplaced) {
  const std::string bad = "\xEF\xBF\xBD";
  EXPECT_EQ(clean("K\xC3\xB6ln \xE2\x82\xAC \xF0\x9F\x98\x80"), "K\xC3\xB6ln \xE2\x82\xAC \xF0\x9F\x98\x80");
  EXPECT_EQ(clean("a\xFF"
                  "b"),
            "a" + bad + "b");
  EXPECT_EQ(clean("\xC0\xAF"), bad + bad);                      // overlong
  EXPECT_EQ(clean("\xED\xA0\x80"), bad + bad + bad);            // surrogate
  EXPECT_EQ(clean("\xF4\x90\x80\x80"), bad + bad + bad + bad);  // beyond U+10FFFF
  EXPECT_EQ(clean("\xE2\x82"), bad + bad);                      // cut off
  EXPECT_EQ(clean(std::string("a\0b\x1B[31m\x7F\xC2\x85", 11)), "a" + bad + "b" + bad + "[31m" + bad + bad);
  EXPECT_EQ(clean("one\ntwo\tthree"), "one two three");
  EXPECT_EQ(clean_lines("a\x1B\n\nb\tc\n"), "a" + bad + "\n\nb c\n");
}

TEST(Html, LongNamesAreShortAndHaveATitle) {
  std::string umlauts;
  for (int k = 0; k < 10'000; ++k) umlauts += "\xC3\xB6";
  const std::string shown = shown_name(umlauts, 10);
  EXPECT_EQ(letters_in(brief(umlauts, 10)), 10u);
  EXPECT_TRUE(brief(umlauts, 10).ends_with("\xE2\x80\xA6"));
  EXPECT_TRUE(shown.starts_with("<bdi title=\"\xC3\xB6"));
  EXPECT_LT(shown.size(), 2 * longest_title + 100);
  EXPECT_EQ(brief("exactly10!", 10), "exactly10!");
  EXPECT_EQ(brief("exactly 11!", 10), "exactly 1\xE2\x80\xA6");
}

// Oracle: RFC 4648, section 10.
TEST(Html, Base64) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
}

}  // namespace
}  // namespace induce::testing
