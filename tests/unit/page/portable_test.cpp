// The model as plain numbers against the library's own predictions.
#include "page/portable.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>
#include <induce/fit.hpp>
#include <induce/page.hpp>

#include "linalg/random.hpp"
#include "page/stand_in.hpp"
#include "page/what_if.hpp"

namespace induce::testing {
namespace {

struct Problem {
  RowMatrix X;
  std::vector<int> y;
  TableView view() const {
    return {X.data(), static_cast<std::size_t>(X.rows()), static_cast<std::size_t>(X.cols())};
  }
};

Problem problem_of(Index n, int classes) {
  Random random(3);
  Problem out{RowMatrix(n, 3), {}};
  for (Index i = 0; i < n; ++i) {
    for (Index f = 0; f < 3; ++f) out.X(i, f) = random.normal();
    const double score = out.X(i, 0) + out.X(i, 1) * out.X(i, 2) + 0.5 * random.normal();
    out.y.push_back(classes == 2 ? score > 0 : score < -0.7 ? 0 : score < 0.7 ? 1 : 2);
  }
  return out;
}

Model model_of(const Problem& problem, const std::string& kernel, int classes,
               const std::string& method = "vi-newton") {
  Options options;
  options.kernel = kernel;
  options.method = method_from_name(method);
  options.inducing = 20;
  options.max_iter = 8;
  options.threads = 1;
  Names names;
  if (classes > 2) names.classes = {"a", "b", "c"};
  return fit(problem.view(), problem.y, options, {}, names).model;
}

void expect_same(const Model& model, const PortableModel& portable, const Problem& problem, double within) {
  const Prediction want = model.predict(problem.view(), 1);
  const std::size_t C = portable.functions.size();
  std::vector<double> x(3), m(C), S2(C);
  for (Index i = 0; i < 20; ++i) {
    detail::state_of(model).map.apply(problem.X.row(i).data(), 1, x.data());
    portable.latent(x.data(), m.data(), S2.data());
    for (std::size_t c = 0; c < C; ++c) {
      const std::size_t at = static_cast<std::size_t>(i) * C + c;
      EXPECT_NEAR(m[c], want.mean[at], within);
      EXPECT_NEAR(S2[c], want.variance[at], within * (1 + want.variance[at]));
    }
  }
}

// Oracle: Model::predict.
TEST(PortableModel, PredictsLikeTheModel) {
  const Problem two = problem_of(120, 2), three = problem_of(120, 3);
  for (const char* kernel :
       {"se", "matern12", "matern:1.2", "se+linear", "mains+pairs:0*1,1*2", "se+mains+pairs:0*2"}) {
    SCOPED_TRACE(kernel);
    const Model model = model_of(two, kernel, 2), of_three = model_of(three, kernel, 3);
    expect_same(model, portable(detail::state_of(model).fitted), two, 1e-10);
    expect_same(of_three, portable(detail::state_of(of_three).fitted), three, 1e-10);
  }
}

// All inducing inputs in another order: Model::predict. Of some: the same means, and at these inputs the same variances.
TEST(StandIn, KnowsTheFirstInputsAndAllMeans) {
  const Problem two = problem_of(120, 2), three = problem_of(120, 3);
  for (const char* kernel : {"se", "matern32+linear", "se+mains+pairs:0*2"}) {
    SCOPED_TRACE(kernel);
    const Model model = model_of(two, kernel, 2), of_three = model_of(three, kernel, 3);
    for (const Model* each : {&model, &of_three}) {
      const Fitted& fitted = detail::state_of(*each).fitted;
      const std::vector<Index> order = pivoted_order(fitted.frame);
      expect_same(*each, stand_in(fitted, order, fitted.frame.m()), each == &model ? two : three, 1e-7);
      const PortableModel exact = portable(fitted), some = stand_in(fitted, order, 7);
      EXPECT_EQ(some.variance_inputs(), 7);
      const std::size_t C = exact.functions.size();
      std::vector<double> m(C), S2(C), own_m(C), own_S2(C);
      bool differs = false;
      for (Index i = 0; i < fitted.frame.m(); ++i) {
        const Vector z = fitted.frame.prior.Z.row(order[static_cast<std::size_t>(i)]);
        exact.latent(z.data(), m.data(), S2.data());
        some.latent(z.data(), own_m.data(), own_S2.data());
        for (std::size_t c = 0; c < C; ++c) {
          EXPECT_NEAR(own_m[c], m[c], 1e-7);
          if (i < 7) {
            EXPECT_NEAR(own_S2[c], S2[c], 1e-6 * (1 + S2[c]));
          }
          differs |= std::abs(own_S2[c] - S2[c]) > 1e-6;
        }
      }
      EXPECT_TRUE(differs);
    }
  }
}

TEST(PortableModel, PredictsLikeAnOldModelWithAnAdditivePart) {
  const Model model = Model::load(INDUCE_TESTS "/golden/version6_classes.model");
  expect_same(model, portable(detail::state_of(model).fitted), problem_of(120, 3), 1e-10);
}

// q of the paper's stochastic method may be less certain than the prior: D then has negative eigenvalues.
TEST(PortableModel, OtherMethods) {
  const Problem two = problem_of(120, 2);
  for (const char* method : {"svi-adadelta", "svi-lbfgs", "vi-jj"}) {
    SCOPED_TRACE(method);
    const Model model = model_of(two, "se", 2, method);
    expect_same(model, portable(detail::state_of(model).fitted), two, 1e-9);
  }
}

TEST(PortableModel, PackedNumbersAreCloseAndAsLongAsPromised) {
  const Problem two = problem_of(120, 2);
  const Model model = model_of(two, "se+linear", 2);
  const PortableModel exact = portable(detail::state_of(model).fitted);
  for (const Widths& widths : {Widths{0, 0}, Widths{8, 8}, Widths{7, 8}}) {
    PortableModel rounded = exact;
    const Packed packed = pack(rounded, widths);
    EXPECT_EQ(packed.text.size(), packed_size(exact, widths));
    expect_same(model, rounded, two, widths.inputs == 7 ? 1e-9 : 1e-10);
  }
}

// Oracle: the numbers before rounding.
TEST(PortableModel, TablesOfTermsTakeLessRoomWithLargerSteps) {
  const Problem two = problem_of(200, 2);
  const Model model = model_of(two, "se+mains:0,1,2+pairs:0*1,1*2", 2);
  const PortableModel exact = portable(detail::state_of(model).fitted);
  std::size_t before = 1'000'000'000;
  for (const double step : {1e-13, 1e-9, 1e-5, 1e-3}) {
    PortableModel rounded = exact;
    const PackedTerms packed = rounded.functions[0].terms->pack(step);
    EXPECT_LT(packed.text.size(), before);
    before = packed.text.size();
    ASSERT_EQ(packed.coordinates.size(), 5U);
    // S2 adds 14 x 14 rounded numbers, whose errors have a deviation of 1/sqrt(12) steps: 20 steps are five deviations.
    expect_same(model, rounded, two, 1e-10 + 20 * packed.step);
  }
}

TEST(PortableModel, ATermAlonePacksAsWell) {
  const Problem two = problem_of(200, 2);
  const Model model = model_of(two, "pairs:0*1", 2);
  PortableModel rounded = portable(detail::state_of(model).fitted);
  rounded.functions[0].terms->pack(1e-13);
  expect_same(model, rounded, two, 1e-10);
}

TEST(WhatIf, HasTheDigitsThatFitAndSaysSo) {
  const Problem two = problem_of(300, 2);
  const Model model = model_of(two, "se+mains:0,1,2+pairs:0*1,0*2,1*2", 2);
  const WhatIf exact = detail::what_if(model, {0, 1, 2}, {}, 1'400'000);
  EXPECT_EQ(exact.difference, 0);
  double before = 0;
  for (const double share : {0.7, 0.5, 0.4}) {
    const auto budget = static_cast<std::size_t>(share * static_cast<double>(exact.json.size()));
    const WhatIf abridged = detail::what_if(model, {0, 1, 2}, {}, budget);
    ASSERT_FALSE(abridged.json.empty()) << abridged.why_not;
    EXPECT_LE(abridged.json.size(), budget);
    EXPECT_GT(abridged.difference, before);
    before = abridged.difference;
  }
  const WhatIf none = detail::what_if(model, {0, 1, 2}, {}, 8'000);
  EXPECT_TRUE(none.json.empty());
  EXPECT_NE(none.why_not.find("values of terms"), std::string::npos) << none.why_not;
}

// Oracle: the members of the report.
TEST(HtmlPage, FactsComeFromAReport) {
  const Problem two = problem_of(120, 2);
  const Model model = model_of(two, "se", 2);
  Report report;
  report.n = 120;
  report.seconds = 1.5;
  report.status = Status::converged;
  report.choices = {{.what = "kernel",
                     .reason = "it predicted better",
                     .chosen = {"se"},
                     .others = {{"matern12"}},
                     .held_out = 30}};
  const std::vector<double> weights(120, 2);
  const FitFacts facts = fit_facts(report, model, two.y, weights);
  EXPECT_EQ(facts.status, "converged");
  EXPECT_EQ(facts.choices.at(0).others, std::vector<std::string>{"matern12"});
  EXPECT_EQ(facts.class_counts.at(0) + facts.class_counts.at(1), 120U);
  EXPECT_EQ(facts.class_weights.at(1), 2.0 * static_cast<double>(facts.class_counts.at(1)));
  EXPECT_NE(html_page(model, {}, facts, 1).find("120"), std::string::npos);
}

TEST(HtmlPage, TheSameBytesTwiceAndForAnyNumberOfThreads) {
  const Problem two = problem_of(120, 2);
  const Model model = model_of(two, "se", 2);
  const PageRows rows{.X = two.view(), .y = two.y, .source = "x.csv"};
  const std::string page = html_page(model, rows, {}, 1);
  EXPECT_EQ(page, html_page(model, rows, {}, 3));
  EXPECT_LT(page.size(), largest_page);
  EXPECT_NE(page.find("id=\"model\""), std::string::npos);
}

TEST(HtmlPage, ErrorsNameWhatIsWrong) {
  const Problem two = problem_of(120, 2);
  const Model model = model_of(two, "se", 2);
  std::vector<int> y = two.y;
  const auto message = [&](const PageRows& rows, const FitFacts& fit = {}) -> std::string {
    try {
      html_page(model, rows, fit, 1);
    } catch (const std::exception& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(message({.X = two.view(), .y = std::span(y).first(5)}).find("5 labels for 120 rows"),
            std::string::npos);
  y[7] = 2;
  EXPECT_NE(message({.X = two.view(), .y = y}).find("label 7 is 2: must be from 0 to 1"), std::string::npos);
  EXPECT_NE(message({.X = {}, .y = y}).find("120 labels for 0 rows"), std::string::npos);
  FitFacts facts;
  facts.class_counts = {1, 2, 3};
  EXPECT_NE(message({}, facts).find("3 classes"), std::string::npos);
  const auto refused = [&](const std::string& json) -> std::string {
    try {
      fit_facts(json, model);
    } catch (const std::exception& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(refused("{\"n\": \"many\"}").find("induce fit --json"), std::string::npos);
  EXPECT_NE(refused("not json").find("induce fit --json"), std::string::npos);
  EXPECT_NE(refused("{\"m\": 7, \"d\": 3}").find("7 inducing inputs but the model has 20"),
            std::string::npos);
}

}  // namespace
}  // namespace induce::testing
