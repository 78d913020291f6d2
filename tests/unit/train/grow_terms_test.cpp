// Oracles: made-up tables whose columns and pairs with an effect are known, and properties of the gain.
#include "train/grow_terms.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "linalg/random.hpp"
#include <induce/error.hpp>

namespace induce::testing {
namespace {

using namespace detail;

// Four columns, uniform in [0, 1]; the label follows the logit.
struct Grown {
  Grown(Index n, const std::function<double(const double*)>& logit,
        const std::string& kernel = "se+mains+pairs", std::uint64_t seed = 1, double doubling = 0)
      : list(kernel, 4), X(n, 4), targets{Vector(n), Vector::Ones(n)} {
    Random random(seed);
    for (Index i = 0; i < n; ++i) {
      for (Index f = 0; f < 4; ++f) X(i, f) = random.uniform();
      targets.y[i] = random.uniform() < 1 / (1 + std::exp(-logit(&X(i, 0)))) ? 1 : -1;
    }
    map.standardizer.shift = Vector::Zero(4);
    map.standardizer.scale = Vector::Ones(4);
    const Slopes slopes = slopes_at_base_rate(targets, likelihood("logistic", 2));
    grow_mains_and_pairs(list, map, X, targets.weight, slopes, {n, 100, 4, 1, doubling}, workers);
  }

  TermList list;
  RowMatrix X;
  Targets targets;
  FeatureMap map;
  Workers workers{2};
};

TEST(GrowTerms, FindsTheColumnsWithAnEffect) {
  const Grown found(3000, [](const double* x) { return 4 * x[1] - 2 + 2 * std::sin(6 * x[3]); });
  EXPECT_EQ(found.list.mains, (std::vector<Index>{1, 3}));
  EXPECT_EQ(found.list.pairs, (std::vector<std::pair<Index, Index>>{}));
  EXPECT_EQ(found.list.knots[1], 16);
  EXPECT_EQ(found.list.name(), "se+mains:1,3");
}

TEST(GrowTerms, FindsAPairWithoutMains) {
  const Grown found(3000, [](const double* x) { return (x[0] > 0.5) == (x[2] > 0.5) ? 2.0 : -2.0; });
  EXPECT_EQ(found.list.mains, (std::vector<Index>{}));
  EXPECT_EQ(found.list.pairs, (std::vector<std::pair<Index, Index>>{{0, 2}}));
  EXPECT_EQ(found.list.name(), "se+pairs:0*2");
}

TEST(GrowTerms, LocalDetailHasMoreKnots) {
  const auto fine = [](const double* x) { return std::sin(300 * x[2]) > 0 ? 2.5 : -2.5; };
  const Grown few(100, fine), many(20000, fine);
  EXPECT_EQ(many.list.mains, (std::vector<Index>{2}));
  EXPECT_GE(many.list.knots[2], 128);
  EXPECT_LT(few.list.knots[2], many.list.knots[2]);
}

// A pair of 64 values is nearly free beside 100 inputs, at 3,000 rows; a gain of some hundred nats is not, at any price.
TEST(GrowTerms, TermsPayForTheirWork) {
  const auto logit = [](const double* x) {
    return 2 * x[1] - 1 + ((x[0] > 0.5) == (x[2] > 0.5) ? 1.0 : -1.0);
  };
  const auto name = [&](double doubling) {
    return Grown(3000, logit, "se+mains+pairs", 1, doubling).list.name();
  };
  EXPECT_EQ(name(0), name(10));
  EXPECT_EQ(name(10), "se+mains:1+pairs:0*2");
  EXPECT_EQ(name(1e6), "se");
}

TEST(GrowTerms, NoiseHasFewTerms) {
  std::size_t mains = 0, pairs = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Grown noise(
        500, [](const double*) { return 0.3; }, "se+mains+pairs", seed);
    mains += noise.list.mains.size();  // of 80
    pairs += noise.list.pairs.size();  // of 120
  }
  EXPECT_LE(mains, 8U);
  EXPECT_LE(pairs, 6U);
}

TEST(GrowTerms, NamedTermsStayAndNoOthersCome) {
  const auto logit = [](const double* x) { return 4 * x[1] - 2; };
  const Grown named(1000, logit, "se+mains:0+pairs:2*3");
  EXPECT_EQ(named.list.name(), "se+mains:0+pairs:2*3");
  EXPECT_EQ(named.list.knots[0], 16);
  EXPECT_EQ(named.list.pair_knots[2], 8);
  const Grown alone(
      1000, [](const double*) { return 0.0; }, "mains");
  EXPECT_EQ(alone.list.mains.size(), 1U);  // a kernel needs something
}

TEST(GrowTerms, NamedKnotsStay) {
  const Grown named(
      3000,
      [](const double* x) { return 6 * std::sin(40 * x[0]) + (x[1] > 0.5) == (x[2] > 0.5) ? 2.0 : -2.0; },
      "se+mains:0@12,1+pairs:1@5*2");
  EXPECT_EQ(named.list.name(), "se+mains:0,1+pairs:1*2");
  EXPECT_EQ(named.list.knots[0], 12);
  EXPECT_EQ(named.list.knots[1], 16);
  EXPECT_EQ(named.list.pair_knots[1], 5);
  EXPECT_GE(named.list.pair_knots[2], 8);
}

TEST(GrowTerms, ValuesGrowAsTheCubeRootOfRows) {
  EXPECT_EQ(most_term_values(1000, 1), 400);
  EXPECT_EQ(most_term_values(8000, 1), 800);
  EXPECT_EQ(most_term_values(8000, 8), 400);
  EXPECT_EQ(most_term_values(100'000'000, 1), 1200);
}

TEST(TermList, ParametersAreCarriedOverByColumns) {
  const Grown from(3000, [](const double* x) { return 4 * x[1] - 2 + 2 * std::sin(6 * x[3]); });
  TermList more = from.list;
  more.mains = {0, 1, 3};
  more.pairs = {{1, 3}};
  more.knots = {16, 16, 0, 16};
  more.pair_knots = {0, 8, 0, 8};
  KernelSetting setting{.d = 4};
  place_axes(more, from.map, from.X, from.targets.weight, setting);
  const auto small = make_kernel("se+mains:1,3", setting), large = make_kernel(more.name(), setting);
  Vector theta = small->start(), carried = large->start();
  for (Index k = 0; k < theta.size(); ++k) theta[k] = 0.01 * static_cast<double>(k + 1);
  carry_over(*small, theta, *large, carried);
  const Index std_small = *small->find("mains.signal_std"), std_large = *large->find("mains.signal_std"),
              l_small = *small->find("mains.lengthscales"), l_large = *large->find("mains.lengthscales");
  EXPECT_EQ(carried[std_large], large->start()[std_large]);  // column 0 is new
  EXPECT_EQ(carried[std_large + 1], theta[std_small]);
  EXPECT_EQ(carried[std_large + 2], theta[std_small + 1]);
  EXPECT_EQ(carried[l_large + 2], theta[l_small + 1]);
  EXPECT_EQ(carried[*large->find("signal_std")], theta[*small->find("signal_std")]);
}

TEST(TermList, NamesAsTheyWereAskedFor) {
  const TermList list("matern32+mains+pairs:3*1,0*2", 4);
  EXPECT_EQ(list.joint, "matern32");
  EXPECT_TRUE(list.find_mains);
  EXPECT_FALSE(list.find_pairs);
  EXPECT_EQ(list.pairs, (std::vector<std::pair<Index, Index>>{{0, 2}, {1, 3}}));
  EXPECT_THROW(TermList("mains:4", 4), Error);
  EXPECT_THROW(TermList("mains:0@1", 4), Error);
  EXPECT_THROW(TermList("pairs:0@8*1,0@9*2", 4), Error);
}

}  // namespace
}  // namespace induce::testing
