// Oracle: the bound of the same sites without the term.
#include "train/drop_terms.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/pass.hpp"
#include "core/posterior.hpp"
#include "linalg/random.hpp"
#include "train/parameters.hpp"

namespace induce::testing {
namespace {

using namespace detail;

// Columns 0 and 1 are nearly equal, 2 is noise. Sites of y = x0 + noise.
struct Table {
  Table() : X(n, 3), weight(Vector::Ones(n)), sites(n, 1), list("mains", 3) {
    Random random(3);
    for (Index i = 0; i < n; ++i) {
      X(i, 0) = random.uniform();
      X(i, 1) = X(i, 0) + 0.01 * random.uniform();
      X(i, 2) = random.uniform();
      sites.w[i] = 0.2;
      sites.t[i] = 0.2 * (3 * X(i, 0) - 1.5) + 0.3 * (random.uniform() - 0.5);
    }
    map.standardizer.shift = Vector::Zero(3);
    map.standardizer.scale = Vector::Ones(3);
    list.mains = {0, 1, 2};
    list.knots = {8, 8, 8};
  }

  // The collapsed bound with these mains.
  Fitted fit(const std::vector<Index>& mains, double& bound) {
    TermList own = list;
    own.mains = mains;
    KernelSetting setting{.d = 3};
    place_axes(own, map, X, weight, setting);
    Prior prior;
    std::shared_ptr<const Kernel> kernel = make_kernel(own.name(), setting);
    prior.theta = kernel->start();
    prior.Z.resize(0, 3);
    Fitted fitted{make_frame(kernel, prior), {}};
    Pass pass(X, 0, workers);
    std::vector<Collapsed> collapsed;
    collapse(fitted.frame, pass.first_half(fitted.frame, sites), collapsed, workers);
    bound = collapsed[0].F;
    fitted.q.push_back(collapsed[0].q);
    return fitted;
  }

  static constexpr Index n = 400;
  RowMatrix X;
  Vector weight;
  Sites sites;
  TermList list;
  FeatureMap map;
  Workers workers{1};
};

TEST(DropTerms, GainIsTheBoundThatIsLostWithoutTheTerm) {
  Table table;
  double all = 0, without = 0;
  const Fitted fitted = table.fit({0, 1, 2}, all);
  table.fit({0, 1}, without);
  const double gain = all - without;  // of column 2: less than nothing
  EXPECT_LT(gain, 0);
  // 8 of 24 values: log2 of the ratio of work is the same for any price, so the price that gives up the term is known.
  TermWorth worth{Table::n, 0, 3, 1, 1};
  const double unit = worth.price({16, 4}, {8, 2});
  for (const double factor : {0.999, 1.001}) {
    worth.doubling = gain / unit * factor;  // a price below zero, so that only this term is near it
    TermList list = table.list;
    drop_terms(list, fitted, worth);
    EXPECT_EQ(list.has_main(2), factor > 1) << factor;
  }
}

TEST(DropTerms, OfTwoThatReplaceEachOtherOneStays) {
  Table table;
  double bound = 0;
  const Fitted fitted = table.fit({0, 1, 2}, bound);
  TermList list = table.list;
  drop_terms(list, fitted, {Table::n, 0, 3, 1, 0.5});
  EXPECT_EQ(list.mains.size(), 1U);
  EXPECT_FALSE(list.has_main(2));
  EXPECT_EQ(list.knots[2], 0);
}

TEST(DropTerms, NamedTermsAndTheLastOneStay) {
  Table table;
  double bound = 0;
  const Fitted fitted = table.fit({0, 1, 2}, bound);
  TermList alone = table.list;
  drop_terms(alone, fitted, {Table::n, 0, 3, 1, 1e9});
  EXPECT_EQ(alone.mains.size(), 1U);  // a kernel needs something
  TermList named("mains:0,1,2", 3);
  named.knots = {8, 8, 8};
  drop_terms(named, fitted, {Table::n, 0, 3, 1, 1e9});
  EXPECT_EQ(named.mains.size(), 3U);
}

}  // namespace
}  // namespace induce::testing
