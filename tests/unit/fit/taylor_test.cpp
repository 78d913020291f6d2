// vi-taylor on a nearly separable table, where its sites, which are no bound, once claimed a gain that was none: the fit
// ended without signal. Oracles: the ELBO of f = 0, and the same fit from other seeds.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include <induce/fit.hpp>

#include "read/read.hpp"

namespace induce::testing {
namespace {

TEST(Taylor, DoesNotRunAway) {
  const std::filesystem::path file =
      std::filesystem::path(INDUCE_SHARED) / "data" / "skin_nonskin.train.svm.xz";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "not found: " << file;
  constexpr std::size_t n = 1000;
  const Dataset data = read_dataset(file.string());
  Options options;
  options.method = Method::vi_taylor;
  options.inducing = 20;
  options.trace_elbo = true;
  for (const std::uint64_t seed : {0, 17, 25}) {
    options.seed = seed;
    const Report report =
        fit({data.X.data(), n, static_cast<std::size_t>(data.X.cols())}, std::span(data.y).first(n), options)
            .report;
    EXPECT_GT(report.bound, -60) << seed;
    for (const Iteration& each : report.history)
      EXPECT_GT(each.elbo, -std::log(2.0) * n) << "seed " << seed << ", " << each.passes << " passes";
  }
}

}  // namespace
}  // namespace induce::testing
