// Intervals against textbook values and slow twins.
#include "page/intervals.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "linalg/random.hpp"

namespace induce::testing {
namespace {

// Oracle: Newcombe (1998), Statistics in Medicine 17, 857-872, table I, method 3.
TEST(Intervals, WilsonHasTheValuesOfNewcombe) {
  struct Case {
    double count, n, lower, upper;
  };
  for (const Case& each : {Case{81, 263, 0.2553, 0.3662}, Case{15, 148, 0.0624, 0.1605},
                           Case{0, 20, 0.0, 0.1611}, Case{1, 29, 0.0061, 0.1718}}) {
    const Estimate found = share_of(each.count, each.n);
    EXPECT_NEAR(found.value, each.count / each.n, 1e-15);
    EXPECT_NEAR(found.lower, each.lower, 5e-5);
    EXPECT_NEAR(found.upper, each.upper, 5e-5);
  }
  EXPECT_TRUE(std::isnan(share_of(0, 0).value));
}

// Oracle: by hand. Mean 2.5, variance 5/3, deviation of the mean sqrt(5/12).
TEST(Intervals, MeanOfFourNumbers) {
  const std::vector<double> x{1, 2, 3, 4};
  const Estimate found = mean_of(x);
  EXPECT_DOUBLE_EQ(found.value, 2.5);
  EXPECT_NEAR(found.upper - found.value, 1.959963984540054 * std::sqrt(5.0 / 12), 1e-12);
  EXPECT_TRUE(std::isnan(mean_of(std::span(x).first(1)).lower));
}

struct Scored {
  std::vector<double> p;
  std::vector<int> y;
};

// Rounded, so that there are ties.
Scored scored_rows(std::size_t n, std::size_t classes, std::uint64_t seed) {
  Random random(seed);
  Scored out;
  const std::size_t each = classes == 2 ? 1 : classes;
  for (std::size_t i = 0; i < n; ++i) {
    out.y.push_back(static_cast<int>(random.bits() % classes));
    for (std::size_t c = 0; c < each; ++c) {
      const bool own = classes == 2 ? out.y[i] == 1 : out.y[i] == static_cast<int>(c);
      out.p.push_back(std::round(20 * (0.4 * random.uniform() + 0.2 * random.uniform() + (own ? 0.3 : 0.1))) /
                      20);
    }
  }
  return out;
}

// The definition: all pairs. V and W of every row of a class against the others.
std::vector<double> slow_shares(const Scored& rows, std::size_t stride, std::size_t at, int own,
                                double& area) {
  const std::size_t n = rows.y.size();
  std::vector<double> share(n, 0);
  double ones = 0, zeros = 0, sum = 0;
  for (const int label : rows.y) (label == own ? ones : zeros) += 1;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      if (rows.y[i] != own || rows.y[j] == own) continue;
      const double p = rows.p[i * stride + at], q = rows.p[j * stride + at];
      const double psi = p > q ? 1 : p == q ? 0.5 : 0;
      share[i] += psi / zeros;
      share[j] += psi / ones;
      sum += psi;
    }
  area = sum / (ones * zeros);
  return share;
}

// Oracle: the definition of DeLong, DeLong and Clarke-Pearson by all pairs.
TEST(Intervals, AreaUnderTheCurveMatchesAllPairs) {
  const Scored rows = scored_rows(300, 2, 5);
  double area = 0;
  const std::vector<double> share = slow_shares(rows, 1, 0, 1, area);
  double variance = 0;
  for (const int c : {0, 1}) {
    double count = 0, squares = 0;
    for (std::size_t i = 0; i < share.size(); ++i)
      if (rows.y[i] == c) {
        count += 1;
        squares += (share[i] - area) * (share[i] - area);
      }
    variance += squares / (count - 1) / count;
  }
  const Estimate found = auc_of(rows.p, rows.y);
  EXPECT_NEAR(found.value, area, 1e-12);
  EXPECT_NEAR(found.upper - found.value, 1.959963984540054 * std::sqrt(variance), 1e-12);
  EXPECT_NEAR(found.value - found.lower, found.upper - found.value, 1e-12);
}

// Oracle: the sum of squares of what each row moves, by all pairs. And about as many intervals as promised have the truth.
TEST(Intervals, MeanAreaOfManyClassesMatchesAllPairs) {
  const Scored rows = scored_rows(200, 4, 6);
  double mean = 0;
  std::vector<double> moved(200, 0);
  for (int c = 0; c < 4; ++c) {
    double area = 0, ones = 0;
    const std::vector<double> share = slow_shares(rows, 4, static_cast<std::size_t>(c), c, area);
    for (const int label : rows.y) ones += label == c;
    mean += area / 4;
    for (std::size_t i = 0; i < 200; ++i)
      moved[i] += (share[i] - area) / (rows.y[i] == c ? ones : 200 - ones) / 4;
  }
  double squares = 0;
  for (const double each : moved) squares += each * each;
  const Estimate found = mean_auc_of(rows.p, rows.y, 4);
  EXPECT_NEAR(found.value, mean, 1e-12);
  EXPECT_NEAR(found.upper - found.value, 1.959963984540054 * std::sqrt(squares * 200 / 199), 1e-12);

  const Scored all = scored_rows(20'000, 4, 7);
  const double truth = mean_auc_of(all.p, all.y, 4).value;
  int within = 0;
  for (std::uint64_t seed = 100; seed < 400; ++seed) {
    const Scored sample = scored_rows(150, 4, seed);
    const Estimate estimate = mean_auc_of(sample.p, sample.y, 4);
    within += estimate.lower <= truth && truth <= estimate.upper;
  }
  EXPECT_GE(within, 270);  // of 300; 285 expected
}

TEST(Intervals, AnAbsentClassHasNoArea) {
  const std::vector<double> p{0.1, 0.2};
  const std::vector<int> y{1, 1};
  EXPECT_TRUE(std::isnan(auc_of(p, y).value));
}

}  // namespace
}  // namespace induce::testing
