// The table of site rules. Oracle: the twin's textbook sites.
#include <gtest/gtest.h>

#include <stdexcept>

#include "site/site.hpp"
#include "support/close.hpp"
#include "support/naive.hpp"
#include "support/random_problem.hpp"

namespace induce::testing {
namespace {

// 200 rows, more than one strip of the Newton rule, with small to large variances and means.
TEST(SiteRules, MatchTheTwinOnAWideRangeOfMarginals) {
  const Index n = 200;
  const Vector y = random_matrix(1, n, 1).unaryExpr([](double f) { return f > 0 ? 1.0 : -1.0; });
  const Vector m = 4 * random_matrix(2, n, 1);
  const Vector S2 = (2 * random_matrix(3, n, 1)).array().exp();
  for (const std::string& name : site_rule_names()) {
    Sites got(n);
    make_site_rule(name, likelihood("logistic"))
        ->refresh(y.data(), m.data(), S2.data(), n, got.w.data(), got.t.data(), got.c.data());
    const naive::Sites want = naive::refresh_sites(name, y, {m, S2});
    expect_close(got.w, want.w, 1e-8, name + " w");
    expect_close(got.t, want.t, 1e-8, name + " t");
    expect_close(got.c, want.c, 1e-8, name + " c");
    EXPECT_GE(got.w.minCoeff(), 0) << name;
  }
}

// Sites at extreme marginals must stay finite, with w >= 0: first_half takes its square root.
TEST(SiteRules, StayFiniteAtExtremeMarginals) {
  for (const std::string& name : site_rule_names()) {
    for (const double y : {-1.0, 1.0}) {
      for (const double m : {-1e6, -800.0, -40.0, 0.0, 40.0, 800.0, 1e6}) {
        for (const double S2 : {0.0, 1e-300, 1e-8, 1.0, 1e4, 1e8}) {
          double w = -1, t = 0, c = 0;
          make_site_rule(name, likelihood("logistic"))->refresh(&y, &m, &S2, 1, &w, &t, &c);
          EXPECT_TRUE(w >= 0 && std::isfinite(w) && std::isfinite(t) && std::isfinite(c))
              << name << ", y = " << y << ", m = " << m << ", S2 = " << S2;
        }
      }
    }
  }
}

// Why the expansion points of Taylor sites are no variables to maximise over (docs/math.md). With xi as a variable, the mean of
// a site under N(m, S2) has the slope -w'(xi) ((m - xi)^2 + S2)/2, which is zero only where w'(xi) is. Oracle: central
// differences of both. And far out, every label is certain: the site is 0, more than any log-likelihood.
TEST(SiteRules, TaylorSitesHaveNoUsefulMaximumInTheirPoints) {
  const double m = 0.3, S2 = 0.7, h = 1e-5, none = 0;
  for (const std::string name : {"logistic", "probit"}) {
    const auto rule = make_site_rule("taylor", likelihood(name));
    for (const double y : {-1.0, 1.0}) {
      const auto site = [&](double xi) {
        double w = 0, t = 0, c = 0;
        rule->refresh(&y, &xi, &none, 1, &w, &t, &c);
        return std::pair(c + t * m - w * (m * m + S2) / 2, w);
      };
      for (const double xi : {-2.0, -0.4, 0.9, 3.0}) {
        const auto [up, w_up] = site(xi + h);
        const auto [down, w_down] = site(xi - h);
        const double slope_of_w = (w_up - w_down) / (2 * h);
        EXPECT_NEAR((up - down) / (2 * h), -slope_of_w * ((m - xi) * (m - xi) + S2) / 2, 1e-6) << name;
      }
      EXPECT_NEAR(site(35 * y).first, 0, 1e-9) << name;
    }
  }
}

TEST(SiteRules, UnknownNameIsALogicError) {
  EXPECT_THROW(make_site_rule("no such rule", likelihood("logistic")), std::logic_error);
  EXPECT_EQ(site_rule_names(), (std::vector<std::string>{"jj", "taylor", "newton"}));
}

}  // namespace
}  // namespace induce::testing
