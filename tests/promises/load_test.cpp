// Under load: a model shared by many threads gives the same results as in one thread, and neither predictions nor
// fits leak memory. Oracles: the result of one thread, bit for bit; the memory counts of the allocator and the
// system. how_many.hpp says how many calls and fits.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "how_many.hpp"
#include "generated_problem.hpp"
#include "process_memory.hpp"
#include "train/methods.hpp"

namespace induce::testing {
namespace {

constexpr double MB = 1e6;

Model some_model() {
  Random random(3);
  GeneratedProblem problem;
  problem.d = 4;
  for (int i = 0; i < 400; ++i) {
    for (std::size_t f = 0; f < problem.d; ++f) problem.x.push_back(random.normal());
    problem.y.push_back(problem.x[problem.x.size() - 1] + random.normal() > 0);
  }
  problem.options.inducing = 40;
  return problem.fit().model;
}

// Predicts one row per call; returns how many results differ from `wanted`.
long wrong_answers(const Model& model, const std::vector<double>& x, const Prediction& wanted, int threads,
                   long calls) {
  const std::size_t d = model.features(), rows = x.size() / d;
  std::atomic<long> wrong = 0;
  std::vector<std::jthread> team;
  for (int thread = 0; thread < threads; ++thread)
    team.emplace_back([&, thread] {
      for (long call = thread; call < calls; call += threads) {
        const std::size_t row = static_cast<std::size_t>(call) * 7919 % rows;
        const Prediction got = model.predict({x.data() + row * d, 1, d});
        wrong += got.probabilities !=
                     std::vector{wanted.probabilities[2 * row], wanted.probabilities[2 * row + 1]} ||
                 got.mean[0] != wanted.mean[row] || got.variance[0] != wanted.variance[row];
      }
    });
  team.clear();
  return wrong;
}

TEST(Load, SixteenThreadsShareOneModel) {
  const Model model = some_model();
  Random random(4);
  std::vector<double> x(1000 * model.features());
  for (double& value : x) value = random.normal();
  Prediction wanted;  // one row at a time: a block of rows may sum in another order
  for (std::size_t row = 0; row < 1000; ++row) {
    const Prediction one = model.predict({&x[row * model.features()], 1, model.features()}, 1);
    wanted.probabilities.insert(wanted.probabilities.end(), one.probabilities.begin(),
                                one.probabilities.end());
    wanted.mean.push_back(one.mean[0]);
    wanted.variance.push_back(one.variance[0]);
  }
  const long calls = 100 * problems_or(500);
  EXPECT_EQ(wrong_answers(model, x, wanted, 16, calls / 2), 0);
  const double before = allocated_bytes(), resident_before = resident_bytes();
  EXPECT_EQ(wrong_answers(model, x, wanted, 16, calls - calls / 2), 0);
  EXPECT_LT(allocated_bytes() - before, 0.1 * MB);
  EXPECT_LT(resident_bytes() - resident_before, 4 * MB);
}

TEST(Load, ManyFitsLeaveNoMemoryBehind) {
  const long fits = problems_or(200);
  double before = 0, resident_before = 0;
  long done = 0;
  each_seed(1, fits, [&](std::uint64_t seed) {
    const GeneratedProblem problem = generated_problem(seed, methods[seed % methods.size()].method);
    SCOPED_TRACE(problem.text());
    const Fit result = problem.fit();
    EXPECT_TRUE(std::isfinite(result.report.elbo));
    for (const double p : result.model.predict(problem.view()).probabilities) EXPECT_TRUE(p >= 0 && p <= 1);
    if (++done == fits / 2) {
      before = allocated_bytes();
      resident_before = resident_bytes();
    }
    return !HasFailure();
  });
  if (done < 2 || HasFailure()) return;
  EXPECT_LT(allocated_bytes() - before, 0.1 * MB);
  EXPECT_LT(resident_bytes() - resident_before, 16 * MB);
}

}  // namespace
}  // namespace induce::testing
