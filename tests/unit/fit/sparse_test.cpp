// fit() of sparse tables. Oracles: the dense table where it is fitted as such, copies of rows for weights, the uninterrupted
// fit, and the model file.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include <induce/error.hpp>
#include <induce/explain.hpp>
#include <induce/fit.hpp>
#include <induce/metrics.hpp>

#include "fit/fit_shards.hpp"
#include "rows/sparse_rows.hpp"
#include "shard/near_shards.hpp"
#include "linalg/random.hpp"
#include "unit/read/temporary.hpp"

namespace induce::testing {
namespace {

struct SparseTable {
  SparseRows rows;
  std::vector<int> y;
  std::size_t classes = 2;

  Names names() const {
    Names named;
    named.classes.clear();
    for (std::size_t c = 0; c < classes; ++c) named.classes.push_back("class " + std::to_string(c));
    return named;
  }
  Fit fit(const Options& options, std::span<const double> weights = {}) const {
    return induce::fit(rows.view(), y, options, weights, names());
  }
  RowMatrix dense() const {
    RowMatrix X(static_cast<Index>(rows.n()), static_cast<Index>(rows.d));
    write_dense(rows.view(), 0, rows.n(), X.data());
    return X;
  }
};

// A row has four of the ten columns of its class and three of the others.
SparseTable topics(std::size_t n, std::size_t classes, std::size_t d = 1500) {
  Random random(11);
  SparseTable made;
  made.classes = classes;
  made.rows.d = d;
  std::vector<double> row(d);
  for (std::size_t i = 0; i < n; ++i) {
    std::fill(row.begin(), row.end(), 0.0);
    const std::size_t topic = i % classes;
    for (int k = 0; k < 4; ++k) row[10 * topic + random.below(10)] += 1;
    for (int k = 0; k < 3; ++k) row[random.below(d)] += 1;
    made.rows.add_dense(row.data());
    made.y.push_back(static_cast<int>(topic));
  }
  return made;
}

Options brief(std::size_t m) {
  Options options;
  options.inducing = m;
  options.threads = 2;
  options.max_iter = 40;
  return options;
}

void expect_same(const Prediction& a, const Prediction& b) {
  EXPECT_EQ(a.probabilities, b.probabilities);
  EXPECT_EQ(a.mean, b.mean);
  EXPECT_EQ(a.variance, b.variance);
}

// Slopes ask more often than that, before there is anything to train.
TEST(FitSparse, CanBeStoppedWhileRowsAreProjected) {
  int asked = 0;
  Options options = brief(10);
  options.stop = [&] { return ++asked > 20; };
  bool iterated = false;
  options.on_iteration = [&](const Progress&) { return iterated = true; };
  EXPECT_THROW(topics(300, 2).fit(options), Error);
  EXPECT_FALSE(iterated);
  EXPECT_LT(asked, 60);
}

TEST(SparseFit, TwoAndThreeClasses) {
  for (const std::size_t classes : {2, 3}) {
    const SparseTable table = topics(300, classes);
    const Fit done = table.fit(brief(30));
    EXPECT_TRUE(done.model.sparse());
    EXPECT_EQ(done.model.features(), 1500U);
    EXPECT_EQ(done.report.d, 1500U);
    EXPECT_EQ(done.model.inducing_inputs().size(), done.model.inducing() * done.model.input_names().size());
    const Prediction sparse = done.model.predict(table.rows.view());
    const Metrics metrics = evaluate(sparse.probabilities, table.y, classes);
    EXPECT_GT(metrics.accuracy, 0.9);
    const RowMatrix X = table.dense();
    expect_same(done.model.predict(TableView{X.data(), 300, 1500}), sparse);
    expect_same(Model::from_bytes(done.model.to_bytes()).predict(table.rows.view()), sparse);
    EXPECT_EQ(Model::from_bytes(done.model.to_bytes()).to_bytes(), done.model.to_bytes());
    ASSERT_TRUE(done.report.leave_one_out);
    EXPECT_LT(done.report.leave_one_out->nll, 0.6);
    EXPECT_THROW(explain(done.model, {X.data(), 300, 1500}), Error);
    EXPECT_EQ(done.model.explanation(), nullptr);
  }
}

TEST(SparseFit, NeitherThreadsNorTheOrderOfRowsMatter) {
  const SparseTable table = topics(200, 2);
  Options options = brief(20);
  options.kernel = "matern52+linear";
  const Prediction want = table.fit(options).model.predict(table.rows.view());
  options.threads = 1;
  expect_same(table.fit(options).model.predict(table.rows.view()), want);
  SparseTable reversed = table;
  std::vector<std::size_t> order;
  for (std::size_t i = 200; i-- > 0;) order.push_back(i);
  reversed.rows = take_rows(table.rows.view(), order);
  std::reverse(reversed.y.begin(), reversed.y.end());
  expect_same(reversed.fit(options).model.predict(table.rows.view()), want);
}

TEST(SparseFit, AWeightIsANumberOfCopies) {
  const SparseTable table = topics(150, 2);
  Options options = brief(20);
  options.kernel = "se";
  std::vector<double> weights;
  std::vector<std::size_t> copies;
  SparseTable copied;
  for (std::size_t i = 0; i < 150; ++i) {
    weights.push_back(static_cast<double>(i % 3));
    for (std::size_t k = 0; k < i % 3; ++k) {
      copies.push_back(i);
      copied.y.push_back(table.y[i]);
    }
  }
  copied.rows = take_rows(table.rows.view(), copies);
  expect_same(table.fit(options, weights).model.predict(table.rows.view()),
              copied.fit(options).model.predict(table.rows.view()));
}

TEST(SparseFit, NarrowTablesAreFittedWithTheirZeros) {
  const SparseTable table = topics(150, 2, 40);
  const RowMatrix X = table.dense();
  Options options = brief(15);
  const Fit sparse = table.fit(options),
            dense = fit(TableView{X.data(), 150, 40}, table.y, options, {}, table.names());
  EXPECT_FALSE(sparse.model.sparse());
  EXPECT_EQ(sparse.model.to_bytes(), dense.model.to_bytes());
  expect_same(sparse.model.predict(table.rows.view()), dense.model.predict(TableView{X.data(), 150, 40}));
}

TEST(SparseFit, EveryMethodWorks) {
  const SparseTable table = topics(120, 2);
  for (const Method method : {Method::vi_jj, Method::vi_taylor, Method::svi_lbfgs, Method::svi_adadelta}) {
    Options options = brief(15);
    options.method = method;
    options.max_iter = 10;
    const Fit done = table.fit(options);
    EXPECT_TRUE(done.model.sparse());
    EXPECT_GT(evaluate(done.model.predict(table.rows.view()).probabilities, table.y, 2).accuracy, 0.7);
  }
}

class SparseFitFiles : public test::TemporaryFiles {};

TEST_F(SparseFitFiles, AStoppedFitResumes) {
  const SparseTable table = topics(200, 2);
  Options options = brief(20);
  const Fit want = table.fit(options);
  options.checkpoint = path("sparse.checkpoint");
  for (int stop = 3;; stop += 3) {
    options.on_iteration = [&](const Progress& progress) {
      return progress.iteration < stop || progress.iteration >= want.report.iterations;
    };
    const Fit done = table.fit(options);
    if (done.report.status == Status::interrupted) {
      options.resume = options.checkpoint;
      continue;
    }
    expect_same(done.model.predict(table.rows.view()), want.model.predict(table.rows.view()));
    break;
  }
  SparseTable other = table;
  other.rows.value[7] += 1;
  EXPECT_THROW(other.fit(options), Error) << "another table";
}

TEST(SparseFit, OptionsWithoutAMeaningAreRefused) {
  const SparseTable table = topics(60, 2);
  const auto refusal = [&](auto&& change) {
    Options options = brief(10);
    change(options);
    try {
      table.fit(options);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(refusal([](Options& o) { o.kernel = "se+mains:0"; }).substr(0, 19), "kernel 'se+mains:0'");
  EXPECT_EQ(refusal([](Options& o) { o.kernel = "se+mains"; }), "accepted");
  SparseTable gap = table;
  gap.rows.value[3] = std::nan("");
  EXPECT_THROW(gap.fit(brief(10)), Error);
  const Fit done = table.fit(brief(10));
  EXPECT_THROW(done.model.predict(gap.rows.view()), Error);
  gap.rows.d = 1501;
  EXPECT_THROW(done.model.predict(gap.rows.view()), Error);
}

TEST(SparseFit, HasTheSameBytesInShards) {
  const SparseTable table = topics(1500, 2);
  for (const std::size_t sample : {std::size_t{1000}, std::size_t{100000}}) {  // large or not
    Options options = brief(10);
    options.max_iter = 10;
    options.sample_rows = sample;
    const std::string want = table.fit(options).model.to_bytes();
    for (const int count : {1, 3}) {
      NearShards near(count);
      const Fit done = fit_shards(near, table.rows.view(), table.y, options, {}, table.names());
      EXPECT_TRUE(done.model.to_bytes() == want) << "sample of " << sample << ", " << count << " shards";
    }
  }
}

}  // namespace
}  // namespace induce::testing
