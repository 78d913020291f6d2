// A stopped fit resumes from its checkpoint. Oracle: the uninterrupted fit, bit for bit.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <utility>

#include <induce/fit.hpp>

#include "linalg/random.hpp"
#include "fit/checkpoint_file.hpp"
#include "train/methods.hpp"
#include "unit/read/temporary.hpp"

namespace induce::testing {
namespace {

struct Table {
  std::vector<double> x;
  std::vector<int> y;
  TableView view() const { return {x.data(), y.size(), 2}; }
};

// One feature has a heavy tail, so that feature maps compete.
Table banana(std::size_t n) {
  Random random(3);
  Table made;
  for (std::size_t i = 0; i < n; ++i) {
    const double a = random.normal(), b = random.normal();
    made.x.insert(made.x.end(), {a, std::exp(b)});
    made.y.push_back(b + 0.3 * random.normal() > a * a - 0.7);
  }
  return made;
}

Options brief(Method method) {
  Options options;
  options.method = method;
  options.inducing = 12;
  options.max_iter = 40;
  options.threads = 2;
  return options;
}

// Stops the fit after `stride` iterations, resumes it from the checkpoint, stops it after twice as many, and so on.
Fit with_stops(const Table& data, Options options, const std::string& path, int stride, int last) {
  options.checkpoint = path;
  options.checkpoint_every = 1e9;  // only the ends of stages and the stop write
  for (int stop = stride;; stop += stride) {
    options.on_iteration = [&](const Progress& progress) {
      return progress.iteration < stop || progress.iteration >= last;
    };
    Fit done = fit(data.view(), data.y, options);
    if (done.report.status != Status::interrupted) return done;
    options.resume = path;
  }
}

void expect_same(const Fit& one, const Fit& other) {
  EXPECT_TRUE(one.model.to_bytes() == other.model.to_bytes());
  EXPECT_EQ(one.report.status, other.report.status);
  EXPECT_EQ(one.report.bound, other.report.bound);
  EXPECT_EQ(one.report.elbo, other.report.elbo);
  EXPECT_EQ(one.report.passes, other.report.passes);
  ASSERT_EQ(one.report.stages.size(), other.report.stages.size());
  for (std::size_t k = 0; k < one.report.stages.size(); ++k) {
    EXPECT_EQ(one.report.stages[k].m, other.report.stages[k].m);
    EXPECT_EQ(one.report.stages[k].warp, other.report.stages[k].warp);
    EXPECT_EQ(one.report.stages[k].bound, other.report.stages[k].bound);
  }
  ASSERT_EQ(one.report.history.size(), other.report.history.size());
  for (std::size_t k = 0; k < one.report.history.size(); ++k) {
    EXPECT_EQ(one.report.history[k].bound, other.report.history[k].bound);
    EXPECT_EQ(one.report.history[k].passes, other.report.history[k].passes);
    EXPECT_EQ(one.report.history[k].stage, other.report.history[k].stage);
  }
  EXPECT_EQ(one.report.leave_one_out.has_value(), other.report.leave_one_out.has_value());
  if (one.report.leave_one_out) {
    EXPECT_EQ(one.report.leave_one_out->nll, other.report.leave_one_out->nll);
  }
}

class Checkpoints : public test::TemporaryFiles {
 protected:
  std::string path_ = path("fit.state");
};

TEST_F(Checkpoints, EveryMethodResumesToTheSameBits) {
  const Table data = banana(150);
  for (const MethodTraits& row : methods) {
    SCOPED_TRACE(std::string(row.name));
    const Options options = brief(row.method);
    const Fit whole = fit(data.view(), data.y, options);
    for (const int stride : {1, 3})
      expect_same(with_stops(data, options, path_, stride, whole.report.iterations), whole);
  }
}

TEST_F(Checkpoints, GrowthResumesFromAnyStage) {
  const Table data = banana(460);  // inducing inputs grow from 100 to 115
  Options options;
  options.threads = 1;
  const Fit whole = fit(data.view(), data.y, options);
  ASSERT_GT(whole.report.stages.size(), 2U) << "two feature maps, then more inducing inputs";
  options.threads = 2;  // no result depends on it
  expect_same(with_stops(data, options, path_, 1 + whole.report.iterations / 9, whole.report.iterations),
              whole);
}

// What is on disk when a fit is stopped: the end of the stage before.
TEST_F(Checkpoints, AResumedFitRepeatsTheStageItWasIn) {
  const Table data = banana(460);
  Options options;
  options.checkpoint = path_;
  int stop = 0, stages = 0, before = 0;  // `before`: iterations until the second stage ended
  options.on_iteration = [&](const Progress& progress) {
    stages = progress.now.stage;
    if (stages < 2) before = progress.iteration;
    return progress.iteration < before + 3;
  };
  EXPECT_EQ(fit(data.view(), data.y, options).report.status, Status::interrupted);
  EXPECT_EQ(stages, 2);
  options.resume = path_;
  options.on_iteration = [&](const Progress& progress) {
    stop = progress.iteration;
    return false;
  };
  fit(data.view(), data.y, options);
  EXPECT_EQ(stop, before + 1) << "the first iteration of the stage again";
}

TEST_F(Checkpoints, MovedInputsAndAllOptionalParts) {
  const Table data = banana(120);
  for (const Method method : {Method::vi_jj, Method::vi_jj_full, Method::svi_lbfgs}) {
    Options options = brief(method);
    options.learn_inputs = options.ard = options.noise = options.mean = true;
    options.kernel = "matern32";
    options.max_iter = 12;
    const Fit whole = fit(data.view(), data.y, options);
    expect_same(with_stops(data, options, path_, 2, whole.report.iterations), whole);
  }
}

TEST_F(Checkpoints, Terms) {
  const Table data = banana(150);
  for (const char* kernel : {"se+mains+pairs:0*1", "mains"}) {
    SCOPED_TRACE(kernel);
    Options options = brief(Method::vi_newton);
    options.kernel = kernel;
    const Fit whole = fit(data.view(), data.y, options);
    expect_same(with_stops(data, options, path_, 2, whole.report.iterations), whole);
  }
}

// A fit that ended at a limit can be continued.
TEST_F(Checkpoints, ALimitMayBeRaised) {
  const Table data = banana(150);
  for (const Method method : {Method::vi_newton, Method::vi_jj, Method::vi_jj_full, Method::svi_adadelta}) {
    SCOPED_TRACE(std::string(name_of(method)));
    Options options = brief(method);
    const Fit whole = fit(data.view(), data.y, options);
    options.checkpoint = path_;
    options.max_iter = 4;
    EXPECT_EQ(fit(data.view(), data.y, options).report.iterations, 4);
    options.resume = path_;
    EXPECT_EQ(fit(data.view(), data.y, options).report.iterations, 4) << "the same limit";
    options.max_iter = 40;
    expect_same(fit(data.view(), data.y, options), whole);
  }
}

TEST_F(Checkpoints, TimeContinuesWhereItStopped) {
  const Table data = banana(150);
  Options options = brief(Method::vi_jj);
  options.checkpoint = path_;
  options.max_iter = 5;
  const double before = fit(data.view(), data.y, options).report.history.back().seconds;
  options.resume = path_;
  options.max_iter = 8;
  const Report report = fit(data.view(), data.y, options).report;
  EXPECT_EQ(report.history[4].seconds, before);
  EXPECT_GT(report.history[5].seconds, before);
}

class OtherFits : public Checkpoints {
 protected:
  OtherFits() {
    options_.checkpoint = path_;
    options_.max_iter = 0;
    options_.on_iteration = [](const Progress& progress) { return progress.now.stage < 2; };
    options_.checkpoint_notes = {{"who", "\"me\"\n"}};
    fit(data_.view(), data_.y, options_);
    options_.checkpoint.clear();
    options_.on_iteration = nullptr;
    options_.resume = path_;
    options_.max_iter = 3;
  }

  std::string refusal() const {
    try {
      fit(data_.view(), data_.y, options_, weights_);
    } catch (const Error& error) {
      return error.what();
    }
    return "accepted";
  }

  Table data_ = banana(150);
  std::vector<double> weights_;
  Options options_ = brief(Method::vi_newton);
};

TEST_F(OtherFits, ErrorNamesTheDifference) {
  EXPECT_EQ(refusal(), "accepted");
  Options good = options_;
  options_.seed = 7;
  EXPECT_EQ(refusal(), path_ + ": is from a fit with seed = 0, not 7");
  options_ = good;
  options_.method = Method::vi_jj;
  EXPECT_EQ(refusal(), path_ + ": is from a fit with method = vi-newton, not vi-jj");
  options_ = good;
  options_.start.lengthscale = 0.1;
  EXPECT_EQ(refusal(), path_ + ": is from a fit with start.lengthscale = default, not 0.1");
  options_ = good;
  for (double* number : {&data_.x.front(), &data_.x.back()}) {
    const double was = std::exchange(*number, std::nextafter(*number, 9));
    EXPECT_NE(refusal().find("is from a fit to other data"), std::string::npos);
    *number = was;
  }
  data_.y[5] = 1 - data_.y[5];
  EXPECT_NE(refusal().find("is from a fit to other data"), std::string::npos);
  data_.y[5] = 1 - data_.y[5];
  weights_.assign(data_.y.size(), 1.0);
  EXPECT_EQ(refusal(), "accepted");  // the same rows
  weights_[5] = 2;
  EXPECT_NE(refusal().find("is from a fit to other data"), std::string::npos);
  weights_.clear();
  options_.resume = path("none");
  EXPECT_NE(refusal().find("none: cannot be read"), std::string::npos) << refusal();
  options_.resume = path("model");
  fit(data_.view(), data_.y, brief(Method::vi_jj)).model.save(options_.resume);
  EXPECT_NE(refusal().find("its format is 'induce-model'"), std::string::npos) << refusal();
}

TEST_F(OtherFits, NotesComeBack) {
  const std::map<std::string, std::string> wanted{{"who", "\"me\"\n"}};
  EXPECT_EQ(read_checkpoint_notes(path_), wanted);
}

// Every array of the state is dropped, shortened, extended and filled with nonsense (the hash detects mere bit
// flips): the result is an Error, or a fit that ends. Meant for the sanitizers.
TEST_F(OtherFits, NonsenseInTheStateIsHarmless) {
  const Checkpoint good = read_checkpoint(path_);
  options_.max_iter = static_cast<int>(good.state.at("monitor.iterations").size()) / 7 + 2;
  const std::string broken = path("broken");
  options_.resume = broken;
  int refused = 0, tried = 0;
  const auto attempt = [&](const Checkpoint& checkpoint) {
    write_checkpoint(broken, checkpoint);
    ++tried;
    refused += refusal() != "accepted";
  };
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
    for (const double nonsense : {-1.0, 0.5, 1e6, 1e300, std::nan(""), HUGE_VAL}) {
      bad.state[name] = std::vector<double>(values.size(), nonsense);
      attempt(bad);
    }
  }
  EXPECT_GT(refused, tried / 3) << "of " << tried;
}

// Two numbers that request 80 GB.
TEST_F(OtherFits, HugeShapesAreNotAllocated) {
  Checkpoint bad = read_checkpoint(path_);
  for (const std::string name : {"stages.choice.rival0.best.prior.Z"}) bad.state.at(name) = {100000, 0};
  write_checkpoint(path_, bad);
  EXPECT_NE(refusal().find("Z"), std::string::npos) << refusal();
}

// The time limit is reached within a round: the stored state is still one of the uninterrupted fit.
TEST_F(Checkpoints, ATimeLimitMayBeRaised) {
  const Table data = banana(400);
  for (const Method method : {Method::vi_jj, Method::vi_taylor, Method::vi_jj_hybrid}) {
    SCOPED_TRACE(std::string(name_of(method)));
    Options options = brief(method);
    options.inducing = 50;
    const Fit whole = fit(data.view(), data.y, options);
    options.checkpoint = path_;
    options.checkpoint_every = 0;
    for (double limit = 0.005;; limit = 1.15 * limit + 0.007) {
      options.max_time = limit;
      const Fit part = fit(data.view(), data.y, options);
      if (part.report.status != Status::budget || part.report.iterations == options.max_iter) {
        expect_same(part, whole);
        break;
      }
      options.resume = path_;
    }
    options.resume.clear();
    std::filesystem::remove(path_);
  }
}

TEST_F(Checkpoints, UnwritablePathFailsFirst) {
  const Table data = banana(60);
  Options options = brief(Method::vi_jj);
  options.checkpoint = path("no/such/place");
  EXPECT_THROW(fit(data.view(), data.y, options), Error);
  options.checkpoint = path_;
  options.checkpoint_every = -1;
  EXPECT_THROW(fit(data.view(), data.y, options), Error);
}

// The folder is removed during the fit: the fit succeeds with a warning.
TEST_F(Checkpoints, AFailedCheckpointDoesNotAbortTheFit) {
  const Table data = banana(60);
  std::filesystem::create_directory(path("gone"));
  Options options = brief(Method::vi_jj);
  options.checkpoint = path("gone/fit.state");
  options.checkpoint_every = 0;
  options.on_iteration = [&](const Progress&) {
    std::filesystem::remove_all(path("gone"));
    return true;
  };
  const Report report = fit(data.view(), data.y, options).report;
  EXPECT_GT(report.iterations, 5);
  ASSERT_EQ(report.warnings.size(), 1U);
  EXPECT_NE(report.warnings[0].find("the last checkpoint could not be written"), std::string::npos);
}

}  // namespace
}  // namespace induce::testing
