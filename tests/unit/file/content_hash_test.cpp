// Oracle: the check value of CRC-64/XZ in the catalogue of CRC algorithms.
#include <gtest/gtest.h>

#include "file/content_hash.hpp"

namespace induce::test {
namespace {

TEST(ContentHash, MatchesTheCatalogue) {
  EXPECT_EQ(content_hash("123456789"), 0x995dc9bbdf1939faULL);
  EXPECT_EQ(hex_of_hash(content_hash("123456789")), "995dc9bbdf1939fa");
}

TEST(ContentHash, ContinuesFromAnEarlierHash) {
  EXPECT_EQ(content_hash("6789", content_hash("12345")), content_hash("123456789"));
  EXPECT_EQ(content_hash("", content_hash("12345")), content_hash("12345"));
}

TEST(ContentHash, HexIsZeroPadded) {
  EXPECT_EQ(hex_of_hash(0), "0000000000000000");
  EXPECT_EQ(hex_of_hash(0xab), "00000000000000ab");
}

}  // namespace
}  // namespace induce::test
