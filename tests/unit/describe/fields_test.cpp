// The description of results: unique names, and access to theta by name.
#include <set>
#include <stdexcept>

#include <gtest/gtest.h>

#include "describe/fields.hpp"

namespace induce::testing {
namespace {

template <class Record>
std::set<std::string> names_of(const Record& record) {
  std::set<std::string> names;
  describe(record, [&](const Field& field, const auto&) {
    EXPECT_TRUE(names.insert(std::string(field.name)).second) << field.name;
    EXPECT_FALSE(field.meaning.empty()) << field.name;
  });
  return names;
}

const Theta theta{.parameters = {{"signal_std", {2}}, {"lengthscales", {1, 3}, true}, {"mean", {-1}}},
                  .jitter = 1e-10};

TEST(Fields, NamesAreUniqueAndExplained) {
  EXPECT_EQ(names_of(Metrics()), (std::set<std::string>{"n", "accuracy", "nll", "nll_error", "brier", "ece",
                                                        "auc", "rps", "level_error"}));
  EXPECT_EQ(names_of(theta), (std::set<std::string>{"signal_std", "lengthscales", "mean", "jitter"}));
  EXPECT_EQ(names_of(Stage()), (std::set<std::string>{"rows", "m", "warp", "kernel", "bound", "seconds"}));
  EXPECT_EQ(names_of(Iteration()).size(), 7u);
  EXPECT_TRUE(names_of(Report()).contains("sparsity_price"));
}

TEST(Fields, ThetaByName) {
  EXPECT_EQ(theta.scalar("signal_std"), 2);
  EXPECT_EQ(theta.values("lengthscales"), (std::vector<double>{1, 3}));
  EXPECT_THROW(theta.scalar("lengthscales"), std::out_of_range);
  EXPECT_THROW(theta.values("colour"), std::out_of_range);
}

TEST(Fields, UnknownParameterKeepsItsName) {
  EXPECT_EQ(words_of({"additive_std", {1}}).field.name, "additive_std");
  EXPECT_EQ(words_of({"noise_std", {0}}).absent, "no noise term");
}

}  // namespace
}  // namespace induce::testing
