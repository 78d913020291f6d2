// Oracle: the check value that the catalogue of CRCs lists for CRC-64/XZ.
#include <gtest/gtest.h>

#include "io/content_hash.hpp"

namespace induce::test {
namespace {

TEST(ContentHash, HasTheCatalogueValue) {
  EXPECT_EQ(content_hash("123456789"), 0x995dc9bbdf1939faULL);
  EXPECT_EQ(hex_of_hash(content_hash("123456789")), "995dc9bbdf1939fa");
}

TEST(ContentHash, GoesOnFromWhatWasHashed) {
  EXPECT_EQ(content_hash("6789", content_hash("12345")), content_hash("123456789"));
  EXPECT_EQ(content_hash("", content_hash("12345")), content_hash("12345"));
}

TEST(ContentHash, HasAllItsDigits) {
  EXPECT_EQ(hex_of_hash(0), "0000000000000000");
  EXPECT_EQ(hex_of_hash(0xab), "00000000000000ab");
}

}  // namespace
}  // namespace induce::test
