#include "text/format.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace induce::testing {
namespace {

struct Written {
  double value;
  int digits;
  const char* text;
};

class Quantities : public ::testing::TestWithParam<Written> {};

TEST_P(Quantities, AreWrittenAsPeopleDo) {
  EXPECT_EQ(readable(GetParam().value, GetParam().digits), GetParam().text);
}

INSTANTIATE_TEST_SUITE_P(Table, Quantities,
                         ::testing::Values(Written{0, 3, "0"}, Written{1, 3, "1"},
                                           Written{99999, 4, "99,999"}, Written{290, 2, "290"},
                                           Written{287.3, 2, "287"}, Written{2.873, 2, "2.9"},
                                           Written{0.0123456, 3, "0.0123"}, Written{12.3456, 4, "12.35"},
                                           Written{-12345.6, 4, "-12,346"}, Written{1234.5, 6, "1,234.5"},
                                           Written{1999.9996, 6, "2,000"}, Written{99.96, 3, "100"},
                                           Written{999.96, 4, "1,000"}, Written{1e6, 3, "1,000,000"},
                                           Written{123456789012, 3, "123,456,789,012"},
                                           Written{2e15, 3, "2e+15"}, Written{0.0001, 2, "0.0001"},
                                           Written{0.00001234, 2, "1.2e-05"},
                                           Written{std::numeric_limits<double>::infinity(), 3, "inf"}));

}  // namespace
}  // namespace induce::testing
