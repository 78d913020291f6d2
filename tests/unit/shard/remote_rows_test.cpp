// Rows in shards. Oracle: the same rows in one process, bit by bit.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "shard/remote_site_rows.hpp"
#include "support/bridge.hpp"
#include "support/class_engine.hpp"
#include "shard/near_shards.hpp"
#include "support/random_problem.hpp"
#include "train/local_site_rows.hpp"
#include "train/profiled_bound.hpp"

namespace induce::testing {
namespace {

// Holds what a bound refers to.
struct Case {
  RowMatrix X;
  Targets targets;
  Prior prior;
  Layout layout;
  KernelSetting setting;
  const Likelihood& likelihood;

  StageNeeds needs() const { return {prior.Z.rows(), likelihood, "newton", setting, std::size_t{1} << 20}; }
};

Case binary_case(Index n) {
  const naive::Problem problem = random_problem(5, n, 12, 3);
  Case made{problem.X,
            Targets(problem.y),
            prior_of(problem),
            {.kernel = kernel_of(problem), .mean = true, .inputs = true},
            {.d = 3, .noise = problem.noise_std > 0},
            likelihood("logistic")};
  for (Index i = 0; i < n; i += 3) made.targets.weight[i] = 1.5;
  return made;
}

Case class_case(Index n) {
  const naive::ClassProblem problem = random_class_problem(6, n, 10, 3);
  return {problem.X,
          Targets(problem.y, problem.weight),
          prior_of(problem),
          layout_of(problem),
          {.d = 3, .noise = true},
          likelihood("softmax", static_cast<std::size_t>(problem.classes()))};
}

struct Course {
  std::vector<double> values;
  Vector gradient, alpha, w, t;
};

// A few evaluations, and a second start from the best q in other rows.
Course run(const Case& made, RowOwner& owner, Workers& workers) {
  const auto bound_of = [&] {
    return ProfiledBound(owner.site_rows(made.X, made.targets, made.needs()), made.likelihood, made.layout,
                         workers);
  };
  Course course;
  const Vector x = made.layout.pack(made.prior);
  course.gradient.resize(x.size());
  Fitted fitted;
  {
    ProfiledBound bound = bound_of();
    bound.start(made.prior);
    for (int call = 0; call < 3; ++call)
      course.values.push_back(bound(x.array() + .01 * call, course.gradient));
    fitted = bound.best().fitted();
  }
  ProfiledBound next = bound_of();
  next.start(made.prior, fitted.frame, fitted.q);
  course.values.push_back(next(x, course.gradient));
  course.values.push_back(next(x.array() - .01, course.gradient));
  course.alpha = next.best().collapsed[0].q.alpha;
  const std::unique_ptr<SiteRows> rows = owner.site_rows(made.X, made.targets, made.needs());
  rows->read_sites(rows->sites_at(fitted.frame, fitted.q), course.w, course.t);
  return course;
}

#ifdef INDUCE_SANITIZED  // slow
const std::vector<Index> row_counts{1, 700};
const std::vector<int> shard_counts{2, 5};
#else
const std::vector<Index> row_counts{1, 700, 4000};
const std::vector<int> shard_counts{1, 2, 3, 5, 64};
#endif

TEST(Shards, GiveTheBitsOfOneProcess) {
  for (const auto& make_case : {binary_case, class_case}) {
    for (const Index n : row_counts) {
      const Case made = make_case(n);
      Workers workers(2);
      LocalOwner here(workers);
      const Course want = run(made, here, workers);
      for (const double value : want.values) ASSERT_TRUE(std::isfinite(value));
      for (const int count : shard_counts) {
        NearShards near(count, count == 2 ? 2 : 1);
        Shards shards(near, workers);
        SCOPED_TRACE(std::to_string(n) + " rows, " + std::to_string(count) + " shards");
        const Course got = run(made, shards, workers);
        EXPECT_EQ(got.values, want.values);
        EXPECT_TRUE(got.gradient == want.gradient);
        EXPECT_TRUE(got.alpha == want.alpha);
        EXPECT_TRUE(got.w == want.w && got.t == want.t);
        EXPECT_GT(shards.traffic().bytes(), 0);
        EXPECT_GE(shards.traffic().imbalance(), 1);
      }
    }
  }
}

TEST(Messages, LeaveOutRunsOfZeros) {
  for (const std::vector<double>& numbers :
       std::vector<std::vector<double>>{{},
                                        {0, 0, 0, 0, 0, 0, 0},
                                        {1, 2, 3},
                                        {0, 0, 0, 0, 0, 1, 0, 0, 2, 0, 0, 0, 0, 0, 0, 3},
                                        {-0.0, 0, 0, 0, 0, 0, 0, -0.0, 4, 0, 0, 0, 0, 0}}) {
    MessageWriter out;
    out.runs(numbers.data(), static_cast<Index>(numbers.size()));
    std::vector<double> got(numbers.size(), 7);
    MessageReader(out.bytes()).runs(got);
    for (std::size_t k = 0; k < numbers.size(); ++k)
      EXPECT_EQ(std::bit_cast<std::uint64_t>(got[k]), std::bit_cast<std::uint64_t>(numbers[k])) << k;
    std::vector<double> more(numbers.size() + 1);
    EXPECT_THROW(MessageReader(out.bytes()).runs(more), Error);
  }
  const std::vector<double> zeros(1000);
  MessageWriter out;
  out.runs(zeros.data(), 1000);
  EXPECT_LE(out.bytes().size(), 24u);
}

TEST(Shards, PassOnErrors) {
  Workers workers(1);
  NearShards near(2);
  Shards shards(near, workers);
  MessageWriter out;
  out.count(99);
  out.count(0);
  out.counts({});
  try {
    shards.ask_all(out.take());
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "shard 0: a message refers to rows that do not exist");
  }
}

// Whatever bytes arrive, a shard answers with an error.
TEST(Shards, RefuseDamagedMessages) {
  const Case made = binary_case(20);
  class Recorder final : public Carrier {
   public:
    int count() const override { return 1; }
    std::vector<std::string> ask(const std::vector<std::string>& requests) override {
      last = requests[0];
      return {shard.answer(requests[0])};
    }
    std::string last;
    Workers workers{1};
    Shard shard{workers};
  } recorder;
  Workers workers(1);
  Shards shards(recorder, workers);
  ProfiledBound bound(shards.site_rows(made.X, made.targets, made.needs()), made.likelihood, made.layout,
                      workers);
  const std::string place = recorder.last;
  bound.start(made.prior);
  const std::string start = recorder.last;
  for (const std::string& message : {place, start})
    for (std::size_t size = 0; size < message.size(); size += 1 + size / 8) {
      MessageReader answer(std::string_view{});
      const std::string bytes = recorder.shard.answer(std::string_view(message).substr(0, size));
      EXPECT_FALSE(MessageReader(bytes).text().empty()) << size;
    }
}

}  // namespace
}  // namespace induce::testing
