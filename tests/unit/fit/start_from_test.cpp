// A fit that starts from a model (Options::start_from). Oracle: a fit from scratch of the same rows.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include <unistd.h>

#include <induce/error.hpp>
#include <induce/fit.hpp>
#include <induce/metrics.hpp>

#include "linalg/random.hpp"

namespace induce::testing {
namespace {

struct MonthOfRows {
  MonthOfRows(std::size_t n, unsigned seed, bool gaps = true, bool all_levels = true) {
    Random random(seed);
    names.features = {"age", "size", "job"};
    names.columns = {{ColumnKind::number, {}},
                     {ColumnKind::number, {}},
                     {ColumnKind::category, {"clerk", "cook", "smith"}}};
    names.classes = {"no", "yes"};
    for (std::size_t i = 0; i < n; ++i) {
      const double a = random.normal(), b = random.normal(),
                   job = std::floor((all_levels ? 3 : 2) * random.uniform());
      const double f = 2 * std::sin(1.5 * a) + b + 0.7 * (job - 1);
      x.insert(x.end(), {gaps && random.uniform() < 0.05 ? NAN : a, b, job});
      y.push_back(random.uniform() < 1 / (1 + std::exp(-f)));
    }
  }
  TableView view() const { return {x.data(), y.size(), 3}; }
  std::vector<double> x;
  std::vector<int> y;
  Names names;
};

class StartFrom : public ::testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(path_); }
  Options started() {
    Options options;
    options.threads = 1;
    options.start_from = path_.string();
    return options;
  }
  void expect_error(const MonthOfRows& rows, const Options& options, const std::string& part) {
    try {
      fit(rows.view(), rows.y, options, {}, rows.names);
      FAIL() << part;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  }
  const std::filesystem::path path_ =
      std::filesystem::temp_directory_path() / ("start_from_" + std::to_string(::getpid()) + ".model");
};

TEST_F(StartFrom, TakesFewerPassesToTheSameQuality) {
  const MonthOfRows first(4000, 1), second(4000, 2), test(4000, 3);
  for (const std::string kernel : {"auto", "se+mains:job,size"}) {
    Options cold;
    cold.threads = 1;
    cold.kernel = kernel;
    cold.inducing = 60;
    fit(first.view(), first.y, cold, {}, first.names).model.save(path_.string());
    const Fit anew = fit(second.view(), second.y, cold, {}, second.names),
              on = fit(second.view(), second.y, started(), {}, second.names);
    EXPECT_EQ(on.report.status, Status::converged);
    EXPECT_LT(on.report.passes, 3 * anew.report.passes / 4);
    const auto nll = [&](const Fit& of) {
      return evaluate(of.model.predict(test.view(), 1).probabilities, test.y, 2).nll;
    };
    EXPECT_LT(nll(on), nll(anew) + 0.003);
    EXPECT_EQ(on.model.inducing(), Model::load(path_.string()).inducing());
    const Model again = Model::from_bytes(on.model.to_bytes());
    EXPECT_EQ(again.predict(test.view(), 1).probabilities, on.model.predict(test.view(), 1).probabilities);
  }
}

TEST_F(StartFrom, AModelWithGapsStartsAFitWithoutThem) {
  const MonthOfRows first(500, 1), second(500, 2, false);
  Options cold;
  cold.kernel = "se";
  cold.max_iter = 5;
  fit(first.view(), first.y, cold, {}, first.names).model.save(path_.string());
  const Fit on = fit(second.view(), second.y, started(), {}, second.names);
  const Model again = Model::from_bytes(on.model.to_bytes());
  EXPECT_EQ(again.predict(first.view(), 1).probabilities, on.model.predict(first.view(), 1).probabilities);
}

TEST_F(StartFrom, ErrorsInWords) {
  const MonthOfRows first(300, 1, false), gaps(300, 2, true), fewer_levels(300, 3, false, false);
  Options cold;
  cold.kernel = "se";
  cold.max_iter = 3;
  fit(first.view(), first.y, cold, {}, first.names).model.save(path_.string());
  expect_error(gaps, started(), "'age' has missing values");
  MonthOfRows renamed = first;
  renamed.names.features[1] = "weight";
  expect_error(renamed, started(), "column 2 is 'weight' but the model has 'size' there");
  renamed = first;
  renamed.names.classes = {"no", "maybe"};
  expect_error(renamed, started(), "the classes of the data are not those of the model");
  MonthOfRows without = fewer_levels;
  without.names.columns[2].levels = {"clerk", "cook"};
  expect_error(without, started(), "no row has the level 'smith' of 'job'");
  Options chosen = started();
  chosen.kernel = "matern52";
  expect_error(first, chosen, "leave out the option kernel");
  chosen.start_from = INDUCE_TESTS "/golden/version6_classes.model";
  expect_error(first, chosen, "its kernel, se+additive:0,1, has an additive part");
  chosen = started();
  chosen.inducing = 1;
  expect_error(first, chosen, "may have only 1");
  chosen = started();
  chosen.method = Method::vi_jj;
  expect_error(first, chosen, "needs the method vi-newton");
  chosen.start_from += ".nothing";
  expect_error(first, chosen, ".nothing");
}

}  // namespace
}  // namespace induce::testing
