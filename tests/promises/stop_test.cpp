// A fit can be stopped at any point, even within an iteration: it ends with the best model so far and reports the
// interruption, or throws if there is no model yet. Oracle: the uninterrupted fit. The history of the stopped fit
// must be a prefix of its history, bit for bit.
#include <gtest/gtest.h>

#include "how_many.hpp"
#include "generated_problem.hpp"
#include "train/methods.hpp"

namespace induce::testing {
namespace {

// The result of a fit whose stop callback returns true at poll number `last`; counts the polls in `polls`.
struct Ending {
  std::optional<Fit> fit;
  std::string error;
};

Ending stopped_at(GeneratedProblem problem, long last, long& polls) {
  polls = 0;
  problem.options.stop = [&] { return ++polls == last; };
  try {
    return {problem.fit(), ""};
  } catch (const Error& error) {
    return {std::nullopt, error.what()};
  }
}

void expect_prefix_of(const std::vector<Iteration>& whole, const std::vector<Iteration>& part) {
  ASSERT_LE(part.size(), whole.size());
  for (std::size_t k = 0; k < part.size(); ++k) EXPECT_EQ(part[k].bound, whole[k].bound) << "iteration " << k;
}

TEST(Stop, AtAnyPoint) {
  each_seed(1, problems_or(80), [&](std::uint64_t seed) {
    GeneratedProblem problem = generated_problem(seed, methods[seed % methods.size()].method);
    problem.options.max_iter = 5;
    problem.options.on_iteration = [](const Progress& progress) {  // uses the model, as a callback may
      return progress.model().inducing() > 0;
    };
    SCOPED_TRACE(problem.text());
    long total = 0;
    const Ending whole = stopped_at(problem, -1, total);
    if (!whole.fit) {
      ADD_FAILURE() << "the uninterrupted fit: " << whole.error;
      return false;
    }
    Random random(seed);
    for (int trial = 0; trial < 4; ++trial) {
      long polls = 0;
      const long last = 1 + static_cast<long>(random.below(static_cast<std::uint64_t>(total)));
      const Ending ending = stopped_at(problem, last, polls);
      SCOPED_TRACE("stopped at poll " + std::to_string(last) + " of " + std::to_string(total));
      EXPECT_LE(polls, last) << "polled again after a stop request";
      if (polls < last)
        continue;  // the number of polls depends on which thread takes a task: it ended before
      if (!ending.fit) {
        EXPECT_EQ(ending.error, "the fit was stopped before it had a model");
        continue;
      }
      EXPECT_EQ(ending.fit->report.status, Status::interrupted);
      EXPECT_LE(ending.fit->report.elbo, 1e-9);
      expect_prefix_of(whole.fit->report.history, ending.fit->report.history);
      for (const double p : ending.fit->model.predict(problem.view()).probabilities)
        EXPECT_TRUE(p >= 0 && p <= 1);
    }
    return !HasFailure();
  });
}

}  // namespace
}  // namespace induce::testing
