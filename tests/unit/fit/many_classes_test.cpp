// fit() with more than two classes. Oracles: bitwise identity where guaranteed, symmetries of the problem, the process that
// generated the data, and the contract of each option.
#include <gtest/gtest.h>

#include <filesystem>
#include <limits>

#include <induce/error.hpp>

#include "class_tables.hpp"
#include "fit/checkpoint_file.hpp"
#include "unit/read/temporary.hpp"

namespace induce::testing {
namespace {

void expect_equal_fits(const Fit& one, const Fit& other) {
  EXPECT_TRUE(one.model.to_bytes() == other.model.to_bytes());
  EXPECT_EQ(one.report.status, other.report.status);
  EXPECT_EQ(one.report.bound, other.report.bound);
  EXPECT_EQ(one.report.elbo, other.report.elbo);
  EXPECT_EQ(one.report.passes, other.report.passes);
  EXPECT_EQ(one.report.sparsity_price, other.report.sparsity_price);
  ASSERT_EQ(one.report.history.size(), other.report.history.size());
  for (std::size_t k = 0; k < one.report.history.size(); ++k)
    EXPECT_EQ(one.report.history[k].bound, other.report.history[k].bound) << k;
  ASSERT_EQ(one.report.leave_one_out.has_value(), other.report.leave_one_out.has_value());
  if (one.report.leave_one_out) {
    EXPECT_EQ(one.report.leave_one_out->nll, other.report.leave_one_out->nll);
  }
}

// No option: the model is chosen too.
TEST(ManyClassFit, ThreadsAndMemoryChangeNoBit) {
  const ClassTable data = clusters(150, 3, 1.5);
  Options options;
  options.inducing = 12;
  options.max_iter = 30;
  options.threads = 1;
  const Fit one = data.fit(options);
  EXPECT_EQ(one.model.likelihood(), "softmax");
  EXPECT_EQ(one.model.classes(), 3U);
  for (const int threads : {1, 2, 3})
    for (const std::size_t memory : {std::size_t{1}, std::size_t{1} << 28}) {
      options.threads = threads;
      options.memory = memory;
      SCOPED_TRACE(std::to_string(threads) + " threads, memory " + std::to_string(memory));
      expect_equal_fits(data.fit(options), one);
    }
}

TEST(ManyClassFit, ClassesWithoutNamesAreNumbers) {
  const ClassTable data = clusters(60, 3, 1.5);
  const Fit numbered = fit(data.view(), data.y, brief_options(10, 5));
  EXPECT_EQ(numbered.model.names().classes, (std::vector<std::string>{"0", "1", "2"}));
  const Fit named = fit(data.view(), data.y, brief_options(10, 5), {}, {.classes = {"0", "1", "2"}});
  expect_equal_fits(numbered, named);
  const Prediction p = numbered.model.predict(data.view());
  EXPECT_EQ(p.rows, 60U);
  EXPECT_EQ(p.classes, 3U);
  EXPECT_EQ(p.mean.size(), 60 * p.functions());
  EXPECT_EQ(p.probabilities_of(2)[7], p.probability(7, 2));
}

TEST(ManyClassFit, ProgressCanBeKept) {
  const ClassTable data = clusters(60, 3, 1.5);
  std::vector<Progress> kept;
  Options options = brief_options(10, 4);
  options.on_iteration = [&](const Progress& progress) {
    kept.push_back(progress);
    return true;
  };
  const Report report = data.fit(options).report;
  ASSERT_EQ(kept.size(), report.history.size());
  for (std::size_t k = 0; k < kept.size(); ++k) EXPECT_EQ(kept[k].now.bound, report.history[k].bound) << k;
}

TEST(ManyClassFit, AWeightOfTwoIsTwoCopies) {
  ClassTable once = clusters(60, 3, 1.5), twice = once;
  std::vector<double> weights(60, 1);
  for (std::size_t i = 0; i < 60; i += 5) {
    weights[i] = 2;
    twice.x.insert(twice.x.end(), once.x.begin() + 2 * i, once.x.begin() + 2 * i + 2);
    twice.y.push_back(once.y[i]);
  }
  const Fit weighted = once.fit(brief_options(10, 15), weights), copies = twice.fit(brief_options(10, 15));
  EXPECT_EQ(weighted.report.bound, copies.report.bound);
  EXPECT_EQ(weighted.model.predict(once.view()).probabilities,
            copies.model.predict(once.view()).probabilities);
}

// Every row is an inducing input and stays one: nothing is drawn, so only rounding depends on the order of the classes.
TEST(ManyClassFit, PermutedClassesPermuteTheModel) {
  const ClassTable data = clusters(36, 4, 1.5);
  const int to[] = {2, 0, 3, 1};
  ClassTable permuted = data;
  for (int& label : permuted.y) label = to[label];
  Options options = brief_options(36, 12);
  options.learn_inputs = false;
  const Fit one = data.fit(options), other = permuted.fit(options);
  EXPECT_NEAR(one.report.bound, other.report.bound, 1e-7 * std::abs(one.report.bound));
  const Prediction p = one.model.predict(data.view()), q = other.model.predict(data.view());
  for (std::size_t k = 0; k < p.probabilities.size(); ++k) {
    const std::size_t at = k / 4 * 4 + static_cast<std::size_t>(to[k % 4]);
    EXPECT_NEAR(p.probabilities[k], q.probabilities[at], 1e-6) << k;
    EXPECT_NEAR(p.mean[k], q.mean[at], 1e-5) << k;
    EXPECT_NEAR(p.variance[k], q.variance[at], 1e-5 * (1 + p.variance[k])) << k;
  }
  for (std::size_t c = 0; c < 4; ++c) {
    const std::size_t at = static_cast<std::size_t>(to[c]);
    EXPECT_NEAR(one.report.theta.values("mean")[c], other.report.theta.values("mean")[at], 1e-5);
    EXPECT_NEAR(one.report.theta.values("class_scales")[c], other.report.theta.values("class_scales")[at],
                1e-5);
  }
}

class ManyClassCheckpoints : public test::TemporaryFiles {};

// Stopped every few iterations, in the choice of the model and in its growth.
TEST_F(ManyClassCheckpoints, ResumeToTheSameBits) {
  const ClassTable data = clusters(160, 4, 1.5);
  for (const bool choose : {false, true}) {
    Options options = brief_options(14, choose ? 40 : 25);
    if (choose) {
      options.kernel = "auto";
      options.warp = Warp::automatic;
    }
    const Fit whole = data.fit(options);
    for (const int stride : {2, 9}) {
      SCOPED_TRACE(std::string(choose ? "choice" : "one model") + ", every " + std::to_string(stride));
      Options parts = options;
      parts.checkpoint = path("classes.state");
      parts.checkpoint_every = 1e9;
      parts.threads = 1;
      for (int stop = stride;; stop += stride) {
        parts.on_iteration = [&](const Progress& progress) {
          return progress.iteration < stop || progress.iteration >= whole.report.iterations;
        };
        const Fit done = data.fit(parts);
        if (done.report.status != Status::interrupted) {
          expect_equal_fits(done, whole);
          break;
        }
        parts.resume = parts.checkpoint;
      }
    }
  }
}

// A checkpoint of three classes does not resume a fit of four, nor the other way round.
TEST_F(ManyClassCheckpoints, OfOtherClassesAreRefused) {
  const ClassTable three = clusters(60, 3, 1.5), four = clusters(60, 4, 1.5);
  Options options = brief_options(8, 3);
  options.checkpoint = path("three.state");
  three.fit(options);
  Options resumed = brief_options(8, 3);
  resumed.resume = options.checkpoint;
  EXPECT_THROW(four.fit(resumed), Error);
  EXPECT_NO_THROW(three.fit(resumed));
}

// Every array of the state is dropped, shortened, extended and filled with nonsense: the result is an Error, or a fit that
// ends. Meant for the sanitizers.
TEST_F(ManyClassCheckpoints, NonsenseInTheStateIsHarmless) {
  const ClassTable data = clusters(21, 3, 1.5);
  Options options = brief_options(3, 0);
  options.kernel = "auto";
  options.warp = Warp::automatic;
  options.threads = 1;
  options.checkpoint = path("good.state");
  options.on_iteration = [](const Progress& progress) { return progress.now.stage < 2; };
  data.fit(options);
  const Checkpoint good = read_checkpoint(options.checkpoint);
  options.checkpoint.clear();
  options.on_iteration = nullptr;
  options.resume = path("broken.state");
  options.max_iter = static_cast<int>(good.state.at("monitor.iterations").size()) / 7 + 2;
  int refused = 0, tried = 0;
  const auto attempt = [&](const Checkpoint& checkpoint) {
    write_checkpoint(options.resume, checkpoint);
    ++tried;
    try {
      data.fit(options);
    } catch (const Error&) {
      ++refused;
    }
  };
  attempt(good);
  EXPECT_EQ(refused, 0);
  for (const auto& [name, values] : good.state) {
    SCOPED_TRACE(name);
    Checkpoint bad = good;
    bad.state.erase(name);
    attempt(bad);
    bad.state[name] = values;
    bad.state[name].push_back(1);
    attempt(bad);
    if (values.empty()) continue;
    bad.state[name] = {values.begin(), values.end() - 1};
    attempt(bad);
    for (const double nonsense : {-1.0, 1e6, std::nan("")}) {
      bad.state[name] = std::vector<double>(values.size(), nonsense);
      attempt(bad);
    }
  }
  EXPECT_GT(refused, tried / 3) << "of " << tried;
}

TEST(ManyClassLimits, IterationsTimeAndInterruption) {
  const ClassTable data = clusters(400, 5, 2);
  Options options = brief_options(30, 4);
  const Fit few = data.fit(options);
  EXPECT_EQ(few.report.iterations, 4);
  EXPECT_EQ(few.report.status, Status::budget);

  options.max_iter = 0;
  options.max_time = 0.05;
  const Fit brief = data.fit(options);
  EXPECT_TRUE(brief.report.status == Status::budget || brief.report.seconds < 0.05);
  EXPECT_LT(brief.report.seconds, 5);
  EXPECT_EQ(brief.model.predict(data.view()).probabilities.size(), 2000U);

  options.max_time = std::numeric_limits<double>::infinity();
  options.on_iteration = [](const Progress& progress) { return progress.iteration < 3; };
  const Fit interrupted = data.fit(options);
  EXPECT_EQ(interrupted.report.status, Status::interrupted);
  EXPECT_EQ(interrupted.report.iterations, 3);
  for (std::size_t k = 0; k < 3; ++k)
    EXPECT_EQ(interrupted.report.history[k].bound, few.report.history[k].bound);

  options.on_iteration = {};
  options.stop = [] { return true; };
  EXPECT_THROW(data.fit(options), Error);
}

// Oracle: the messages name what to do.
TEST(ManyClassLimits, TheMethodsOfThePaperAreForTwoClasses) {
  const ClassTable data = clusters(30, 3, 1);
  for (const Method method : {Method::vi_jj, Method::vi_taylor, Method::svi_adadelta, Method::svi_lbfgs}) {
    Options options = brief_options(5);
    options.method = method;
    try {
      data.fit(options);
      ADD_FAILURE() << "accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.fault(), Fault::usage);
      EXPECT_NE(std::string(error.what()).find("vi-newton"), std::string::npos) << error.what();
    }
  }
  Options options = brief_options(5);
  options.likelihood = "probit";
  EXPECT_THROW(data.fit(options), Error);
  ClassTable binary = clusters(30, 2, 1);
  options.likelihood = "softmax";
  EXPECT_THROW(binary.fit(options), Error);
}

}  // namespace
}  // namespace induce::testing
