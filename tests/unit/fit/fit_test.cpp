// The whole pipeline on small data sets. Oracles: the process that generated the data, the contract of each option,
// and bitwise identity where guaranteed.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include <induce/fit.hpp>

#include <induce/metrics.hpp>
#include "linalg/random.hpp"
#include "train/methods.hpp"

namespace induce::testing {
namespace {

struct Made {
  std::vector<double> x;
  std::vector<int> y;
  std::size_t d;
  TableView view() const { return {x.data(), y.size(), d}; }
};

// Two classes, inside and outside a ring, with some labels flipped; features beyond two are noise.
Made ring(std::size_t n, std::size_t d = 2, std::uint64_t seed = 1, double flipped = 0.05) {
  Random random(seed);
  Made made{{}, {}, d};
  for (std::size_t i = 0; i < n; ++i) {
    double r2 = 0;
    for (std::size_t f = 0; f < d; ++f) {
      made.x.push_back(random.normal());
      if (f < 2) r2 += made.x.back() * made.x.back();
    }
    made.y.push_back((r2 > 1.4) != (random.uniform() < flipped));
  }
  return made;
}

Options quick(Method method, std::size_t m = 15) {
  Options options;
  options.method = method;
  options.inducing = m;
  options.threads = 2;
  return options;
}

Metrics metrics(const Model& model, const Made& data) {
  return evaluate(model.predict(data.view()).probabilities, data.y, 2);
}

std::string refusal(const Made& data, const Options& options, const Names& names = {}) {
  try {
    fit(data.view(), data.y, options, {}, names);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Fit, EveryMethodLearnsTheRing) {
  const Made train = ring(600), test = ring(600, 2, 2);
  for (const MethodTraits& row : methods) {
    SCOPED_TRACE(std::string(row.name));
    const Fit result = fit(train.view(), train.y, quick(row.method));
    const Report& report = result.report;
    EXPECT_EQ(report.method, row.name);
    EXPECT_NE(report.status, Status::failed) << report.message;
    EXPECT_TRUE(std::isfinite(report.bound) && std::isfinite(report.elbo));
    if (row.rule == "jj") {
      EXPECT_LE(report.bound, report.elbo);
    }
    EXPECT_EQ(report.iterations, static_cast<int>(report.history.size()));
    EXPECT_GT(report.passes, 0);
    const Metrics quality = metrics(result.model, test);
    EXPECT_GT(quality.accuracy, 0.88);
    EXPECT_LT(quality.nll, 0.35);
  }
}

TEST(Fit, TheBoundNeverFallsWhereGuaranteed) {
  const Made train = ring(400);
  for (const Method method : {Method::vi_jj, Method::vi_jj_hybrid, Method::vi_jj_full}) {
    const Report report = fit(train.view(), train.y, quick(method)).report;
    for (std::size_t k = 1; k < report.history.size(); ++k)
      EXPECT_GE(report.history[k].bound,
                report.history[k - 1].bound - 1e-9 * std::abs(report.history[k].bound));
  }
}

TEST(Fit, SameBitsForAnyNumberOfThreadsAndAnyMemory) {
  const Made train = ring(1500, 3);
  for (const Method method : {Method::vi_jj, Method::vi_newton, Method::svi_adadelta}) {
    std::vector<double> first;
    for (const int threads : {1, 2, 3, 8}) {
      Options options = quick(method);
      options.max_iter = 4;
      options.threads = threads;
      options.memory = threads == 3 ? 1 : 0;  // 3 threads: cache nothing
      const Prediction p = fit(train.view(), train.y, options).model.predict(train.view(), threads);
      if (first.empty()) first = p.probabilities;
      EXPECT_EQ(p.probabilities, first) << name_of(method) << ", " << threads << " threads";
    }
  }
}

TEST(Fit, EveryKernelAndFlag) {
  const Made train = ring(300);
  for (const char* kernel : {"se", "matern12", "matern32", "matern52", "matern:1.2"}) {
    Options options = quick(Method::vi_jj, 12);
    options.kernel = kernel;
    options.max_iter = 10;
    options.ard = options.mean = options.learn_inputs = true;
    options.noise = false;
    const Fit result = fit(train.view(), train.y, options);
    EXPECT_EQ(result.report.theta.values("lengthscales").size(), 2u);
    EXPECT_EQ(result.report.theta.scalar("noise_std"), 0);
    EXPECT_NE(result.report.theta.scalar("mean"), 0);
    EXPECT_GT(metrics(result.model, train).accuracy, 0.85) << kernel;
  }
}

TEST(Fit, UnitsDoNotMatter) {  // oracle: the same table in other units
  const Made train = ring(300);
  Made moved = train;
  for (std::size_t i = 0; i < moved.x.size(); i += 2) moved.x[i] = 1e6 + 1e-3 * moved.x[i];
  const Fit a = fit(train.view(), train.y, quick(Method::vi_jj)),
            b = fit(moved.view(), moved.y, quick(Method::vi_jj));
  EXPECT_NEAR(a.report.bound, b.report.bound, 1e-3 * std::abs(a.report.bound));
}

TEST(Fit, SavedAndLoadedPredictsTheSameBits) {
  const Made train = ring(300, 3);
  Names names;
  names.classes = {"no", "yes"};
  names.features = {"a", "b", "c"};
  const Model model = fit(train.view(), train.y, quick(Method::vi_jj), {}, names).model;
  const std::string path = ::testing::TempDir() + "induce_fit_test.safetensors";
  model.save(path);
  const Model loaded = Model::load(path);
  const Prediction before = model.predict(train.view()), after = loaded.predict(train.view());
  EXPECT_EQ(before.probabilities, after.probabilities);
  EXPECT_EQ(before.mean, after.mean);
  EXPECT_EQ(before.variance, after.variance);
  EXPECT_EQ(loaded.names().classes, names.classes);
  EXPECT_EQ(loaded.names().features, names.features);
  EXPECT_EQ(loaded.inducing_inputs(), model.inducing_inputs());

  // Every truncation and every flipped header byte is rejected or harmless; nothing crashes.
  std::ifstream in(path, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(in)), {});
  for (std::size_t size : {std::size_t{0}, std::size_t{7}, std::size_t{8}, std::size_t{100}, bytes.size() / 2,
                           bytes.size() - 1}) {
    std::ofstream(path, std::ios::binary) << bytes.substr(0, size);
    EXPECT_THROW(Model::load(path), Error) << size << " bytes";
  }
  for (std::size_t at = 0; at < 600; ++at) {
    std::string spoiled = bytes;
    spoiled[at] = static_cast<char>(spoiled[at] ^ 0x15);
    std::ofstream(path, std::ios::binary) << spoiled;
    try {
      Model::load(path);
    } catch (const Error&) {
    }
  }
  std::filesystem::remove(path);
  EXPECT_THROW(Model::load(path), Error);
}

TEST(Fit, PredictRejectsAWrongDimension) {
  const Made train = ring(100), other = ring(10, 3);
  const Model model = fit(train.view(), train.y, quick(Method::vi_jj, 5)).model;
  EXPECT_THROW(model.predict(other.view()), Error);
  EXPECT_TRUE(model.predict({nullptr, 0, 2}).mean.empty());
}

TEST(Fit, CallbackGetsAModelAndCanStop) {
  const Made train = ring(200);
  Options options = quick(Method::vi_jj, 8);
  int calls = 0;
  options.on_iteration = [&](const Progress& progress) {
    ++calls;
    EXPECT_EQ(progress.iteration, calls);
    EXPECT_EQ(progress.model().inducing(), 8u);
    return calls < 3;
  };
  const Report report = fit(train.view(), train.y, options).report;
  EXPECT_EQ(calls, 3);
  EXPECT_EQ(report.status, Status::interrupted);
}

TEST(Fit, BudgetsEndWithAValidModel) {
  const Made train = ring(2000, 4);
  for (const MethodTraits& row : methods) {
    Options options = quick(row.method);
    options.max_time = 1e-6;
    const Fit result = fit(train.view(), train.y, options);
    EXPECT_EQ(result.report.status, Status::budget) << row.name;
    for (const double p : result.model.predict(train.view()).probabilities) ASSERT_TRUE(p >= 0 && p <= 1);
    options.max_time = INFINITY;
    options.max_iter = 2;
    EXPECT_LE(fit(train.view(), train.y, options).report.iterations, 2) << row.name;
  }
}

TEST(Fit, DifficultData) {  // every fit ends with finite numbers
  Made duplicates = ring(50), constant = ring(100, 3), wide = ring(20, 40), separable = ring(200, 1, 3, 0),
       tiny = ring(10);
  duplicates.x.resize(0);
  for (std::size_t i = 0; i < 50; ++i)
    duplicates.x.insert(duplicates.x.end(), {double(i % 4), double(i % 2)});
  for (std::size_t i = 0; i < constant.x.size(); i += 3) constant.x[i] = 7;
  for (std::size_t i = 0; i < 200; ++i) separable.y[i] = separable.x[i] > 0.1;
  Made rare = ring(2000);
  for (std::size_t i = 0; i < 2000; ++i) rare.y[i] = i % 1000 == 0;
  Made noise = ring(500);
  for (std::size_t i = 0; i < 500; ++i) noise.y[i] = static_cast<int>(i * 7919 % 13 % 2);
  for (const Made* made : {&duplicates, &constant, &wide, &separable, &tiny, &rare, &noise}) {
    for (const Method method : {Method::vi_jj, Method::vi_taylor, Method::vi_newton}) {
      const Fit result = fit(made->view(), made->y, quick(method, 10));
      EXPECT_TRUE(result.report.status == Status::converged || result.report.status == Status::budget);
      EXPECT_TRUE(std::isfinite(result.report.elbo));
      for (const double p : result.model.predict(made->view()).probabilities) ASSERT_TRUE(p >= 0 && p <= 1);
    }
  }
  const Report few = fit(duplicates.view(), duplicates.y, quick(Method::vi_jj, 10)).report;
  EXPECT_EQ(few.m, 4u);
  ASSERT_FALSE(few.warnings.empty());
  EXPECT_NE(few.warnings.back().find("support only 4"), std::string::npos) << few.warnings.back();
  const Report still = fit(constant.view(), constant.y, quick(Method::vi_jj, 10)).report;
  ASSERT_EQ(still.warnings.size(), 1u);
  EXPECT_NE(still.warnings[0].find("feature 1"), std::string::npos);
}

TEST(Fit, ErrorsNameArgumentValueAndLimit) {
  Made data = ring(30);
  Options options = quick(Method::vi_jj, 31);
  EXPECT_NE(refusal(data, options).find("inducing = 31: must be between 1 and the number of rows, 30"),
            std::string::npos);
  options = quick(Method::vi_jj, 5);
  options.kernel = "rbf";
  EXPECT_NE(refusal(data, options).find("unknown kernel 'rbf'; known: se, matern12"), std::string::npos);
  for (const char* kernel : {"se+additive", "matern52+additive:0,5", "additive", "se+mains+additive"}) {
    options.kernel = kernel;
    EXPECT_EQ(refusal(data, options), "kernel '" + options.kernel +
                                          "': fits no longer have an additive part; use mains instead, as in "
                                          "se+mains or se+mains:0,5");
  }
  options = quick(Method::vi_jj, 5);
  options.max_time = -1;
  EXPECT_NE(refusal(data, options).find("max_time = -1"), std::string::npos);
  options = quick(Method::svi_adadelta, 5);
  options.batch = 100;
  EXPECT_NE(refusal(data, options).find("batch = 100"), std::string::npos);
  options = quick(Method::vi_jj, 5);
  options.standardize = false;
  Made far = data;
  for (double& x : far.x) x *= 1e60;
  EXPECT_NE(
      refusal(far, options).find("e+60: unless they are standardised, it must be between 1e-50 and 1e50"),
      std::string::npos);
  options = quick(Method::vi_jj, 5);
  Made bad = data;
  bad.x[7] = INFINITY;
  EXPECT_NE(refusal(bad, options).find("row 3, feature 1: inf is not a finite number"), std::string::npos);
  bad = data;
  bad.y[4] = 2;
  EXPECT_NE(refusal(bad, options, {{"no", "yes"}, "", {}}).find("label 2 in row 4"), std::string::npos);
  bad.y[4] = 1000;
  EXPECT_NE(refusal(bad, options).find("label 1000 in row 4"), std::string::npos);
  bad = data;
  bad.y.assign(30, 1);
  EXPECT_NE(refusal(bad, options, {{"no", "yes"}, "", {}}).find("all labels are 'yes'"), std::string::npos);
  Names names;
  names.features = {"only one"};
  EXPECT_NE(refusal(data, options, names).find("2 features but 1 feature names"), std::string::npos);
}

}  // namespace
}  // namespace induce::testing
