// Whole fits with terms. Oracle: the function that the rows were drawn from.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include <induce/error.hpp>
#include <induce/fit.hpp>

namespace induce::testing {
namespace {

// A wave in `time`, five levels, a gap that means something, and a product of two columns; one column has no effect.
struct Drawn {
  explicit Drawn(std::size_t n, unsigned seed, int classes = 2) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> uniform;
    names.features = {"time", "level", "number", "other", "nothing"};
    names.columns = {{ColumnKind::number, {}},
                     {ColumnKind::category, {"a", "b", "c", "d", "e"}},
                     {ColumnKind::number, {}},
                     {ColumnKind::number, {}},
                     {ColumnKind::number, {}}};
    names.classes.clear();
    for (int c = 0; c < classes; ++c) names.classes.push_back("class" + std::to_string(c));
    const double of_level[] = {-1, 1, 0, 2, -2};
    for (std::size_t i = 0; i < n; ++i) {
      const double time = 20 * uniform(random), number = normal(random), other = normal(random);
      const auto level = static_cast<std::size_t>(5 * uniform(random));
      const bool gap = uniform(random) < 0.1;
      double f =
          2 * std::sin(3 * time) + of_level[level] + 1.5 * (number > 0 ? other : -other) * (gap ? 0 : 1);
      if (gap) f += 2;
      std::vector<double> rates;
      double total = 0;
      for (int c = 0; c < classes; ++c)
        total += rates.emplace_back(std::exp(c == 1 ? f : c == 2 ? -f / 2 : 0));
      double draw = uniform(random) * total;
      int y = 0;
      while (y + 1 < classes && draw > rates[static_cast<std::size_t>(y)])
        draw -= rates[static_cast<std::size_t>(y++)];
      labels.push_back(y);
      truth += -std::log(rates[static_cast<std::size_t>(y)] / total) / static_cast<double>(n);
      for (const double value : {time, static_cast<double>(level), gap ? NAN : number, other, normal(random)})
        x.push_back(value);
    }
  }
  TableView view() const { return {x.data(), labels.size(), 5}; }

  Names names;
  std::vector<double> x;
  std::vector<int> labels;
  double truth = 0;  // NLL of the true probabilities
};

double nll(const Model& model, const Drawn& rows) {
  const Prediction predicted = model.predict(rows.view());
  double sum = 0;
  for (std::size_t i = 0; i < rows.labels.size(); ++i)
    sum -= std::log(predicted.probability(i, static_cast<std::size_t>(rows.labels[i])));
  return sum / static_cast<double>(rows.labels.size());
}

Options with(const std::string& kernel) {
  Options options;
  options.kernel = kernel;
  options.threads = 2;
  options.inducing = 50;
  return options;
}

TEST(FitWithTerms, FindsWavesLevelsGapsAndThePair) {
  const Drawn train(4000, 1), test(8000, 2);
  const Fit fitted = fit(train.view(), train.labels, with("mains+pairs"), {}, train.names);
  EXPECT_NE(fitted.model.kernel().find("pairs:2*3"), std::string::npos) << fitted.model.kernel();
  EXPECT_EQ(fitted.model.inducing(), 0u);
  EXPECT_LT(nll(fitted.model, test), test.truth + 0.035);
  EXPECT_GT(nll(fit(train.view(), train.labels, with("se"), {}, train.names).model, test), test.truth + 0.07);
  // Importance: the column without an effect has none.
  ASSERT_TRUE(fitted.model.explanation());
  const std::vector<Importance>& shares = fitted.model.explanation()->importance;
  EXPECT_GT(shares[0].main, 0.2);
  EXPECT_GT(shares[1].main, 0.1);
  EXPECT_LT(shares[4].total, 0.02);
  EXPECT_NEAR(shares[4].main, shares[4].total, 1e-6);  // it is in no pair
  EXPECT_GT(shares[3].total, shares[3].main + 0.1);    // acts with `number`
}

TEST(FitWithTerms, WorksForThreeClasses) {
  const Drawn train(3000, 3, 3), test(4000, 4, 3);
  const Fit fitted = fit(train.view(), train.labels, with("se+mains"), {}, train.names);
  EXPECT_LT(nll(fitted.model, test), test.truth + 0.09);
}

// Leave-one-out at fixed parameters, close to fresh rows because there are few parameters.
TEST(FitWithTerms, LeaveOneOutIsThatOfFreshRows) {
  const Drawn train(4000, 5), test(8000, 6);
  const Fit fitted = fit(train.view(), train.labels, with("mains"), {}, train.names);
  ASSERT_TRUE(fitted.report.leave_one_out);
  EXPECT_NEAR(fitted.report.leave_one_out->nll - train.truth, nll(fitted.model, test) - test.truth, 0.03);
}

// A flag that the first stage does not have gets its term later.
TEST(FitWithTerms, ARareFlagIsNoFailure) {
  Drawn train(6000, 8);
  for (std::size_t i = 0; i < train.labels.size(); ++i) train.x[5 * i + 4] = i % 2000 == 7 ? 1 : 0;
  for (const char* kernel : {"se+mains:nothing", "mains:nothing", "se+pairs:nothing*time"}) {
    Options options = with(kernel);
    options.max_iter = 40;
    const Fit fitted = fit(train.view(), train.labels, options, {}, train.names);
    EXPECT_NE(fitted.model.kernel().find('4'), std::string::npos) << fitted.model.kernel();
  }
}

TEST(FitWithTerms, PairsAloneAreATermEvenIfNoneMatters) {
  Drawn noise(300, 9);
  std::mt19937 random(10);
  for (int& y : noise.labels) y = static_cast<int>(random() % 2);
  const Fit fitted = fit(noise.view(), noise.labels, with("pairs"), {}, noise.names);
  EXPECT_FALSE(fitted.model.kernel().empty());
}

TEST(FitWithTerms, MistakesAreNamed) {
  const Drawn train(200, 7);
  const auto message = [](const Options& options, const Drawn& of) -> std::string {
    try {
      fit(of.view(), of.labels, options, {}, of.names);
      return "";
    } catch (const Error& error) {
      return error.what();
    }
  };
  EXPECT_EQ(message(with("mains:age"), train),
            "kernel = mains:age: there is no column 'age'; the data has time, level, number, other, nothing");
  Drawn constant(200, 7);
  for (std::size_t i = 0; i < 200; ++i) constant.x[5 * i + 4] = 3;
  EXPECT_EQ(message(with("se+mains:nothing"), constant),
            "kernel = se+mains:4: column 'nothing' has one value only, so it has no term");
  Drawn wide(6000, 7);
  wide.names.columns[1].levels.clear();
  for (int level = 0; level < 100; ++level)
    wide.names.columns[1].levels.push_back(std::to_string(100 + level));
  wide.names.columns[4] = wide.names.columns[1];
  for (std::size_t i = 0; i < 6000; ++i)
    for (const std::size_t column : {1, 4}) wide.x[5 * i + column] = static_cast<double>(i / column % 100);
  const std::string too_many = message(with("se+pairs:level*nothing"), wide);
  EXPECT_TRUE(
      too_many.starts_with("kernel = se+pairs:1*4: its terms have 1") &&
      too_many.ends_with(
          "values, more than 5000; name fewer of them, with fewer knots, or columns with fewer levels"))
      << too_many;
  Options paper = with("se+mains");
  paper.method = Method::vi_jj;
  EXPECT_EQ(message(paper, train),
            "kernel = se+mains: terms need the method vi-newton, the default; this is vi-jj");
}

}  // namespace
}  // namespace induce::testing
