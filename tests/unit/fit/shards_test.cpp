// Rows in several processes, or in the order of their hashes: the model has the same bytes. Oracle: fit() of one table in memory.
#include <gtest/gtest.h>
#include <unistd.h>

#include <induce/fit.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <random>

#include "fit/fit_shards.hpp"
#include "fit/fit_store.hpp"
#include "store/file_store.hpp"
#include "shard/near_shards.hpp"
#include "store/row_order.hpp"

namespace induce::testing {
namespace {

#ifdef INDUCE_SANITIZED  // slow
constexpr int iterations = 4;
const std::vector<int> counts{2, 3};
#else
constexpr int iterations = 30;
const std::vector<int> counts{1, 2, 3, 4};
#endif

// Numbers with gaps, a category, weights, and rows that occur several times.
struct Table {
  explicit Table(int n, int classes, unsigned seed = 3) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> uniform;
    names.features = {"b", "a", "c"};
    names.columns = {
        {ColumnKind::number, {}}, {ColumnKind::number, {}}, {ColumnKind::category, {"p", "q", "r"}}};
    names.classes.clear();
    for (int c = 0; c < classes; ++c) names.classes.push_back(std::string(1, static_cast<char>('A' + c)));
    for (int i = 0; i < n; ++i) {
      const double first = std::round(normal(random) * 20) / 20, second = normal(random),
                   third = std::floor(3 * uniform(random));
      const double f = 2 * std::sin(2 * first) + second * (third - 1) + normal(random) / 2;
      const double row[] = {first, uniform(random) < .05 ? NAN : second, third};
      x.insert(x.end(), row, row + 3);
      y.push_back(std::clamp(static_cast<int>(std::floor(f + classes / 2.0)), 0, classes - 1));
      weight.push_back(i % 7 == 0 ? .3 : 1);
    }
    for (int i = 0; i < n / 10; ++i) {  // again
      for (int f = 0; f < 3; ++f) x.push_back(x[static_cast<std::size_t>(3 * i + f)]);
      y.push_back(y[static_cast<std::size_t>(i)]);
      weight.push_back(.7);
    }
  }
  TableView view() const { return {x.data(), y.size(), 3}; }

  std::vector<double> x, weight;
  std::vector<int> y;
  Names names;
};

std::string bytes_of(const Fit& fit) { return fit.model.to_bytes(); }

std::string fit_near(const Table& table, const Options& options, int count, bool backwards) {
  NearShards near(count);
  const std::size_t n = table.y.size();
  for (int k = 0; k < count; ++k) {  // parts of very different sizes
    const std::size_t first = n * static_cast<std::size_t>(k * k) / static_cast<std::size_t>(count * count),
                      end = n * static_cast<std::size_t>((k + 1) * (k + 1)) /
                            static_cast<std::size_t>(count * count);
    near.shards[static_cast<std::size_t>(backwards ? count - 1 - k : k)]->add_rows(
        &table.x[3 * first], static_cast<Index>(end - first), 3, &table.y[first], &table.weight[first], k);
  }
  const Fit fit = fit_shards(near, options, table.names);
  EXPECT_EQ(fit.report.shards, count);
  EXPECT_GT(fit.report.bytes_moved, 0);
  EXPECT_EQ(fit.report.n, n);
  return bytes_of(fit);
}

std::string fit_in_files(const Table& table, const Options& options) {
  Workers workers(2);
  FileStore rows(3, columns_by_name(3, table.names.features), std::filesystem::temp_directory_path().string(),
                 table.y.size());
  rows.add(table.x.data(), static_cast<Index>(table.y.size()), table.y.data(), table.weight.data());
  rows.finish(workers);
  return bytes_of(fit_store(rows, options, table.names));
}

Options options_of(Method method, int max_iter) {
  Options options;
  options.method = method;
  options.inducing = 20;
  options.threads = 1;
  options.max_iter = max_iter;
  return options;
}

// Both as a large table and as one that is not.
void expect_same_bytes(const Table& table, Options options) {
  for (const std::size_t sample : {std::size_t{1000}, std::size_t{100000}}) {
    SCOPED_TRACE("sample of " + std::to_string(sample));
    options.sample_rows = sample;
    options.threads = 1;
    const std::string want = bytes_of(fit(table.view(), table.y, options, table.weight, table.names));
    options.threads = 2;
    EXPECT_TRUE(bytes_of(fit(table.view(), table.y, options, table.weight, table.names)) == want);
    if (sample == 1000) {
      EXPECT_TRUE(fit_in_files(table, options) == want) << "in files";
    }
    for (const int count : counts)
      EXPECT_TRUE(fit_near(table, options, count, count == 3) == want) << count << " shards";
  }
}

TEST(FitInShards, HasTheBytesOfOneProcess) {
  for (const int classes : {2, 3}) {
    SCOPED_TRACE(std::to_string(classes) + " classes");
    expect_same_bytes(Table(1500, classes), options_of(Method::vi_newton, iterations));
  }
}

// A stage starts from the frame of the stage before, whose terms have other knots.
TEST(FitInShards, WithTermsHasTheBytesOfOneProcess) {
  for (const char* kernel : {"se+mains+pairs", "mains:a,c+pairs:c*b"}) {
    SCOPED_TRACE(kernel);
    Options options = options_of(Method::vi_newton, 12);
    options.kernel = kernel;
    expect_same_bytes(Table(1500, 2), options);
  }
}

class MethodInShards : public ::testing::TestWithParam<Method> {};
INSTANTIATE_TEST_SUITE_P(Methods, MethodInShards,
                         ::testing::Values(Method::vi_jj, Method::vi_jj_tight, Method::vi_taylor));

TEST_P(MethodInShards, HasTheBytesOfOneProcess) {
  expect_same_bytes(Table(1500, 2), options_of(GetParam(), iterations));
}

// The paper's methods do not have stages: a large table only has another order of its rows.
TEST_P(MethodInShards, IsThatOfAllRowsInMemory) {
  const Table table(1500, 2);
  Options options = options_of(GetParam(), 3);
  const Fit small = fit(table.view(), table.y, options, table.weight, table.names);
  options.sample_rows = 1600;  // k-means has most of them, in another order
  const Fit large = fit(table.view(), table.y, options, table.weight, table.names);
  EXPECT_EQ(large.report.n, small.report.n);
  EXPECT_NEAR(large.report.bound, small.report.bound, 0.08 * std::abs(small.report.bound));
  EXPECT_NEAR(large.report.elbo, small.report.elbo, 0.08 * std::abs(small.report.elbo));
  EXPECT_NEAR(large.report.leave_one_out->nll, small.report.leave_one_out->nll, 0.05);
}

class ResumedInShards : public ::testing::TestWithParam<Method> {};
INSTANTIATE_TEST_SUITE_P(Methods, ResumedInShards,
                         ::testing::Values(Method::vi_newton, Method::vi_jj, Method::vi_jj_tight));

TEST_P(ResumedInShards, HasTheSameBytes) {
  const Table table(1500, 2);
  const std::string state = ::testing::TempDir() + ("shards_test." + std::to_string(::getpid()) + ".state");
  for (const std::size_t sample : {std::size_t{1000}, std::size_t{100000}}) {
    Options options = options_of(GetParam(), 30);  // it is stopped after 12
    options.sample_rows = sample;
    const std::string want = bytes_of(fit(table.view(), table.y, options, table.weight, table.names));
    Options first = options;
    first.checkpoint = state;
    first.on_iteration = [](const Progress& now) { return now.iteration < 12; };
    EXPECT_FALSE(fit_near(table, first, 3, true) == want);
    options.resume = state;
    EXPECT_TRUE(fit_near(table, options, 2, false) == want) << "sample of " << sample;
    std::remove(state.c_str());
  }
}

TEST(FitInShards, OtherMethodsRefuseByName) {
  const Table table(100, 2);
  NearShards near(2);
  const Options options = options_of(Method::svi_lbfgs, 1);
  near.shards[0]->add_rows(table.x.data(), 100, 3, table.y.data(), nullptr);
  try {
    fit_shards(near, options, table.names);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("svi-lbfgs: its rows must be in one process"), std::string::npos)
        << error.what();
  }
}

TEST(FitInShards, NamesWhatIsWrong) {
  const Table table(100, 2);
  const auto message = [&](const auto& change) {
    NearShards near(2);
    std::vector<double> x = table.x;
    std::vector<int> y = table.y;
    const Options options;
    change(x, y);
    near.shards[1]->add_rows(x.data(), static_cast<Index>(y.size()), 3, y.data(), nullptr);
    try {
      fit_shards(near, options, table.names);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message([](auto& x, auto&) { x[4] = INFINITY; }),
            "shard 1: row 1 of this shard, feature 1: the value is infinite");
  EXPECT_EQ(message([](auto&, auto& y) { y[3] = -1; }),
            "shard 1: label -1 in row 3 of this shard: must be the index of a class");
  EXPECT_EQ(message([](auto&, auto& y) { y.clear(); }), "the data has no rows or no features");
}

// Both a large table and one that is not.
TEST(FitInShards, NamesMustBeThoseOfTheColumns) {
  const Table table(1000, 2);
  const auto message = [&](const auto& change) {
    NearShards near(2);
    Options options;
    options.sample_rows = 1000;
    Names names = table.names;
    change(names, options);
    for (const auto& shard : near.shards) shard->add_rows(table.x.data(), 1000, 3, table.y.data(), nullptr);
    try {
      fit_shards(near, options, names);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message([](Names& names, Options&) { names.features.pop_back(); }),
            "shard 0: there are 3 features but 2 feature names");
  EXPECT_EQ(message([](Names& names, Options& options) {
              names.features.push_back("d");
              options.sample_rows = 100000;
            }),
            "shard 0: there are 3 features but 4 feature names");
  EXPECT_EQ(message([](Names& names, Options&) { names.columns.pop_back(); }),
            "there are 3 features but 2 columns with kinds");
}

}  // namespace
}  // namespace induce::testing
