// A fit can be stopped at any point, within an iteration too: it ends with the best model so far and says so,
// or, if there is none yet, with an error that says so. Oracle: the same fit left alone, of whose history the
// stopped one's is the beginning, bit for bit.
#include <gtest/gtest.h>

#include "how_many.hpp"
#include "made_problem.hpp"
#include "train/methods.hpp"

namespace induce::testing {
namespace {

// How the fit ends if the answer to question number `last` is yes; the number of questions goes to `asked`.
struct Ending {
  std::optional<Fit> fit;
  std::string error;
};

Ending stopped_at(MadeProblem problem, long last, long& asked) {
  asked = 0;
  problem.options.stop = [&] { return ++asked == last; };
  try {
    return {problem.fit(), ""};
  } catch (const Error& error) {
    return {std::nullopt, error.what()};
  }
}

void expect_beginning_of(const std::vector<Iteration>& whole, const std::vector<Iteration>& part) {
  ASSERT_LE(part.size(), whole.size());
  for (std::size_t k = 0; k < part.size(); ++k) EXPECT_EQ(part[k].bound, whole[k].bound) << "iteration " << k;
}

TEST(Stop, AtAnyPoint) {
  each_seed(1, problems_or(80), [&](std::uint64_t seed) {
    MadeProblem problem = made_problem(seed, methods[seed % methods.size()].method);
    problem.options.max_iter = 5;
    problem.options.on_iteration = [](const Progress& progress) {  // uses the model, as a callback may
      return progress.model().inducing() > 0;
    };
    SCOPED_TRACE(problem.text());
    long questions = 0;
    const Ending whole = stopped_at(problem, -1, questions);
    if (!whole.fit) {
      ADD_FAILURE() << "the fit alone: " << whole.error;
      return false;
    }
    Random random(seed);
    for (int trial = 0; trial < 4; ++trial) {
      long asked = 0;
      const long last = 1 + static_cast<long>(random.below(static_cast<std::uint64_t>(questions)));
      const Ending ending = stopped_at(problem, last, asked);
      SCOPED_TRACE("stopped at question " + std::to_string(last) + " of " + std::to_string(questions));
      EXPECT_EQ(asked, last) << "asked on after the answer was yes";
      if (!ending.fit) {
        EXPECT_EQ(ending.error, "the fit was stopped before it had a model");
        continue;
      }
      EXPECT_EQ(ending.fit->report.status, Status::interrupted);
      EXPECT_LE(ending.fit->report.elbo, 1e-9);
      expect_beginning_of(whole.fit->report.history, ending.fit->report.history);
      for (const double p : ending.fit->model.predict(problem.view()).probability)
        EXPECT_TRUE(p >= 0 && p <= 1);
    }
    return !HasFailure();
  });
}

}  // namespace
}  // namespace induce::testing
