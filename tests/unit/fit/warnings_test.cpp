// Warnings of a fit that ends with fewer inducing inputs than requested.
#include <gtest/gtest.h>

#include <algorithm>

#include <cmath>

#include <induce/fit.hpp>

namespace induce::testing {
namespace {

struct Rows {
  std::vector<double> x;
  std::vector<int> y;
  TableView table() const { return {x.data(), y.size(), 2}; }
};

Rows make_rows(std::size_t n, std::size_t distinct) {
  Rows rows;
  for (std::size_t i = 0; i < n; ++i) {
    const double at = static_cast<double>(i % distinct);
    rows.x.insert(rows.x.end(), {std::sin(1.7 * at), std::cos(2.3 * at)});
    rows.y.push_back(rows.x[2 * i] * rows.x[2 * i + 1] > 0 ? 1 : 0);
  }
  return rows;
}

std::vector<std::string> warnings(const Rows& rows, const Options& options) {
  return fit(rows.table(), rows.y, options).report.warnings;
}

TEST(FewerInducing, WarningNamesTheBudgetThatStoppedGrowth) {
  const Rows rows = make_rows(1000, 1000);
  Options options;
  options.inducing = 400;
  options.max_iter = 2;
  const std::vector<std::string> count{
      "max_iter of 2 reached: the fit has 100 of the 400 requested inducing inputs"};
  EXPECT_EQ(warnings(rows, options), count);
  options.max_iter = 0;
  options.max_time = 0.001;
  const std::vector<std::string> time = warnings(rows, options);
  ASSERT_EQ(time.size(), 2U);
  EXPECT_NE(time[0].find("no time for cross-validation"), std::string::npos) << time[0];
  EXPECT_EQ(time[1], "max_time of 0.001 s reached: the fit has 100 of the 400 requested inducing inputs");
}

TEST(FewerInducing, WarningNamesDuplicateRows) {
  const Rows rows = make_rows(200, 12);
  Options options;
  options.inducing = 30;
  const std::vector<std::string> wanted{"the rows support only 12 inducing inputs, not the 30 requested"};
  EXPECT_EQ(warnings(rows, options), wanted);
  options.max_time = 60;
  EXPECT_EQ(warnings(rows, options), wanted);
  options.method = Method::vi_jj;
  EXPECT_EQ(warnings(rows, options), wanted);
}

TEST(FewerInducing, SingularForm) {
  Rows rows = make_rows(20, 1);
  for (std::size_t i = 0; i < rows.y.size(); ++i) rows.y[i] = i % 2;
  Options options;
  options.inducing = 3;
  options.method = Method::vi_jj;
  const std::vector<std::string> found = warnings(rows, options);
  ASSERT_FALSE(found.empty());
  EXPECT_NE(
      std::find(found.begin(), found.end(), "the rows support only 1 inducing input, not the 3 requested"),
      found.end());
}

}  // namespace
}  // namespace induce::testing
