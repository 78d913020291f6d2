// Table 1 of the paper, and round trips of names.
#include "train/methods.hpp"

#include <gtest/gtest.h>

#include <set>

#include <induce/error.hpp>

#include "site/site.hpp"

namespace induce {
namespace {

TEST(Methods, NamesAreUniqueAndRoundTrip) {
  std::set<std::string> seen;
  for (const std::string& name : method_names()) {
    EXPECT_TRUE(seen.insert(name).second) << name << " appears twice";
    EXPECT_EQ(name_of(method_from_name(name)), name);
  }
  EXPECT_EQ(seen.size(), methods.size() + 1) << "every method, and auto";
  for (const MethodTraits& row : methods) {
    EXPECT_EQ(method_from_name(row.name), row.method);
    EXPECT_EQ(&traits_of(row.method), &row);
  }
}

TEST(Methods, AutoIsTheBestMethod) {
  EXPECT_EQ(method_from_name("auto"), Method::automatic);
  EXPECT_EQ(traits_of(Method::automatic).method, best_method);
}

TEST(Methods, ErrorForUnknownNameListsKnownNames) {
  for (const char* name : {"vi-jjj", "", "VI-JJ", "vi_jj"}) {
    try {
      method_from_name(name);
      FAIL() << "'" << name << "' was accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.fault(), Fault::usage);
      const std::string message = error.what();
      EXPECT_NE(message.find("'" + std::string(name) + "'"), std::string::npos) << message;
      for (const std::string& known : method_names())
        EXPECT_NE(message.find(known), std::string::npos) << message;
    }
  }
}

// Each variable is optimised either numerically or analytically; only the hybrid's xi is both. A method has sites
// if and only if q has a closed form.
TEST(Methods, TableIsConsistent) {
  using enum Variables;
  for (const MethodTraits& row : methods) {
    SCOPED_TRACE(row.name);
    EXPECT_TRUE(row.numeric & theta);
    EXPECT_FALSE(row.analytic & theta);
    EXPECT_TRUE((row.numeric | row.analytic) & mu_Sigma);
    EXPECT_FALSE(row.numeric & mu_Sigma && row.analytic & mu_Sigma);
    EXPECT_EQ(row.numeric & xi && row.analytic & xi, row.method == Method::vi_jj_hybrid);
    EXPECT_EQ(row.rule.empty(), row.numeric & mu_Sigma);
    if (!row.rule.empty()) {
      EXPECT_NO_THROW(make_site_rule(row.rule, likelihood("logistic")));
    }
    EXPECT_GT(row.max_iter, 0);
  }
}

}  // namespace
}  // namespace induce
