// Learning goes on (induce/update.hpp). Oracles: a fit of all rows at the same parameters, copies of rows, other orders and threads,
// known drift.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include <induce/error.hpp>
#include <induce/fit.hpp>
#include <induce/metrics.hpp>
#include <induce/update.hpp>

#include "core/pass.hpp"
#include "linalg/random.hpp"
#include "model/state.hpp"
#include "support/close.hpp"
#include "update/grow_frame.hpp"

namespace induce::testing {
namespace {

// A number with gaps, a number, and a category; two or three classes. `shift`: of the boundary.
struct Rows {
  Rows() = default;
  Rows(std::size_t n, unsigned seed, int classes = 2, double shift = 0, double where = 0) {
    Random random(seed);
    names.features = {"age", "size", "job"};
    names.columns = {{ColumnKind::number, {}},
                     {ColumnKind::number, {}},
                     {ColumnKind::category, {"clerk", "cook", "smith"}}};
    for (int c = 0; c < classes; ++c) names.classes.push_back(std::string(1, static_cast<char>('a' + c)));
    for (std::size_t i = 0; i < n; ++i) {
      const double a = random.normal() + where, b = random.normal(), job = std::floor(3 * random.uniform());
      const double f = 2 * std::sin(1.5 * a) + b + 0.7 * (job - 1) + shift;
      x.insert(x.end(), {random.uniform() < 0.05 ? NAN : a, b, job});
      const double u = random.uniform();
      y.push_back(classes == 2 ? u < 1 / (1 + std::exp(-f))
                               : (u < 1 / (1 + std::exp(-f)) ? (b > 0 ? 2 : 1) : 0));
    }
  }
  TableView view() const { return {x.data(), y.size(), 3}; }
  std::vector<double> x;
  std::vector<int> y;
  Names names;
};

Options quick(const std::string& kernel = "se") {
  Options options;
  options.kernel = kernel;
  options.inducing = 40;
  options.max_iter = 15;
  options.threads = 1;
  return options;
}

Fit fitted(const Rows& rows, Options options = quick()) {
  return fit(rows.view(), rows.y, options, {}, rows.names);
}

double mean_difference(const Prediction& a, const Prediction& b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.probabilities.size(); ++k)
    sum += std::abs(a.probabilities[k] - b.probabilities[k]);
  return sum / static_cast<double>(a.probabilities.size());
}

double nll(const Model& model, const Rows& rows) {
  return evaluate(model.predict(rows.view(), 1).probabilities, rows.y, model.classes()).nll;
}

TEST(Update, ThenAnotherIsCloseToBothAtOnce) {
  for (const int classes : {2, 3})
    for (const std::string kernel : {"se", "se+mains:job,size"}) {
      const Rows old(classes == 2 ? 10000 : 3000, 1, classes), A(2000, 2, classes), B(2000, 3, classes),
          test(2000, 4, classes);
      const Model model = fitted(old, quick(kernel)).model;
      Rows both = A;
      both.x.insert(both.x.end(), B.x.begin(), B.x.end());
      both.y.insert(both.y.end(), B.y.begin(), B.y.end());
      const Model first = update(model, A.view(), A.y, {.threads = 1}).model;
      const Model then = update(first, B.view(), B.y, {.threads = 1}).model,
                  at_once = update(model, both.view(), both.y, {.threads = 1}).model;
      const Prediction of_model = model.predict(test.view(), 1), of_once = at_once.predict(test.view(), 1);
      EXPECT_LE(mean_difference(then.predict(test.view(), 1), of_once), 0.002) << kernel << classes;
      EXPECT_GT(mean_difference(of_model, of_once), 0.002) << kernel << classes;  // they did learn
      EXPECT_LE(nll(at_once, test), nll(model, test) + 0.001);
      ASSERT_EQ(past_updates(then).size(), 2U);
      EXPECT_EQ(past_updates(then)[0].rows, 2000);
      EXPECT_EQ(rows_of_fit(then), static_cast<double>(old.y.size()));
    }
}

TEST(Update, OrderedClassesHaveOneFunction) {
  Options options = quick();
  options.likelihood = "ordinal";
  const Rows old(1000, 1, 3), A(1000, 2, 3), B(1000, 3, 3), test(2000, 4, 3);
  const Model model = fitted(old, options).model;
  Rows both = A;
  both.x.insert(both.x.end(), B.x.begin(), B.x.end());
  both.y.insert(both.y.end(), B.y.begin(), B.y.end());
  const Model first = update(model, A.view(), A.y, {.threads = 1}).model;
  const Model then = update(first, B.view(), B.y, {.threads = 1}).model,
              at_once = update(model, both.view(), both.y, {.threads = 1}).model;
  EXPECT_EQ(then.predict(test.view(), 1).functions(), 1U);
  EXPECT_LE(mean_difference(then.predict(test.view(), 1), at_once.predict(test.view(), 1)), 0.004);
  EXPECT_LT(nll(at_once, both), nll(model, both));  // it did learn
}

TEST(Update, LearnsAsMuchAsAFitOfAllRows) {
  const Rows old(1500, 1), more(1500, 2), test(4000, 3);
  Rows all = old;
  all.x.insert(all.x.end(), more.x.begin(), more.x.end());
  all.y.insert(all.y.end(), more.y.begin(), more.y.end());
  const Model model = fitted(old).model, updated = update(model, more.view(), more.y, {.threads = 1}).model,
              joint = fitted(all).model;
  EXPECT_LT(nll(updated, test), nll(model, test));
  EXPECT_LT(nll(updated, test), nll(joint, test) + 0.004);
}

TEST(Update, SameBitsForAnyThreadsAndOrder) {
  for (const int classes : {2, 3}) {
    const Rows old(700, 1, classes), more(3000, 2, classes);
    const Model model = fitted(old, quick("se+mains:job,size")).model;
    Rows reversed = more;
    for (std::size_t i = 0; i < more.y.size(); ++i) {
      const std::size_t from = more.y.size() - 1 - i;
      std::copy_n(more.view().row(from), 3, reversed.x.begin() + static_cast<std::ptrdiff_t>(3 * i));
      reversed.y[i] = more.y[from];
    }
    const std::string one = update(model, more.view(), more.y, {.threads = 1}).model.to_bytes();
    EXPECT_TRUE(one == update(model, more.view(), more.y, {.threads = 3}).model.to_bytes());
    EXPECT_TRUE(one == update(model, reversed.view(), reversed.y, {.threads = 2}).model.to_bytes());
  }
}

TEST(Update, WeightsAreCopies) {
  const Rows old(500, 1), more(200, 2);
  const Model model = fitted(old).model;
  Rows copies = more;
  std::vector<double> weights(200, 1);
  for (std::size_t i = 0; i < 200; i += 3) {
    weights[i] = 2;
    copies.x.insert(copies.x.end(), more.view().row(i), more.view().row(i) + 3);
    copies.y.push_back(more.y[i]);
  }
  const Update a = update(model, more.view(), more.y, {.forget = 300, .threads = 1}, weights),
               b = update(model, copies.view(), copies.y, {.forget = 300, .threads = 1});
  EXPECT_LT(mean_difference(a.model.predict(old.view(), 1), b.model.predict(old.view(), 1)), 1e-10);
  EXPECT_NEAR(a.report.z, b.report.z, 1e-9);
  EXPECT_EQ(a.report.rows, b.report.rows);
  EXPECT_EQ(a.report.n + (200 + 2) / 3, b.report.n);
}

// Class weights shift the mean after the fit, and after the update: the function that is learned does not see them.
TEST(Update, ClassWeightsShiftTheSameFunction) {
  const Rows old(500, 1), more(300, 2);
  Options weighted = quick();
  weighted.class_weights = {1, 3};
  const Model plain = update(fitted(old).model, more.view(), more.y, {.threads = 1}).model,
              shifted = update(Model::from_bytes(fitted(old, weighted).model.to_bytes()), more.view(), more.y,
                               {.threads = 1})
                            .model;
  const Prediction a = plain.predict(old.view(), 1), b = shifted.predict(old.view(), 1);
  for (std::size_t i = 0; i < a.rows; ++i) {
    EXPECT_NEAR(b.mean[i], a.mean[i] + std::log(3.0), 1e-9);
    EXPECT_NEAR(b.variance[i], a.variance[i], 1e-9);
  }
}

TEST(Update, SaysWhatItSaw) {
  const Rows old(3000, 1), same(1000, 2), drifted(1000, 3, 2, 2.0), moved(1000, 4, 2, 0, 6);
  const Model model = fitted(old).model;
  const UpdateReport usual = update(model, same.view(), same.y, {.threads = 1}).report;
  EXPECT_LT(std::abs(usual.z), 3);
  EXPECT_EQ(usual.advice, "keep");
  EXPECT_NEAR(usual.nll, nll(model, same), 1e-9);
  EXPECT_LT(usual.fitted_nll, usual.nll);
  for (const ColumnShift& column : usual.columns) EXPECT_LT(std::abs(column.shift), 0.15);

  const UpdateReport odd = update(model, drifted.view(), drifted.y, {.threads = 1}).report;
  EXPECT_GT(odd.z, 5);
  EXPECT_EQ(odd.advice, "refit");
  EXPECT_GT(odd.classes[1].z, 5);
  EXPECT_LT(odd.classes[0].z, -5);
  EXPECT_NEAR(odd.classes[0].rows + odd.classes[1].rows, 1000, 1e-9);

  const UpdateReport elsewhere = update(model, moved.view(), moved.y, {.threads = 1}).report;
  ASSERT_FALSE(elsewhere.columns.empty());
  EXPECT_EQ(elsewhere.columns[0].column, 0U);
  EXPECT_EQ(elsewhere.columns[0].what, "mean");
  EXPECT_NEAR(elsewhere.columns[0].shift, 6, 0.3);
  EXPECT_GT(elsewhere.novel, 0.5);
  EXPECT_EQ(elsewhere.advice, "refit");
  EXPECT_EQ(elsewhere.reason.find("column 1 ('age') has moved by 6.1"), 0U) << elsewhere.reason;
  EXPECT_NE(elsewhere.reason.find("check its units"), std::string::npos) << elsewhere.reason;
}

// Frequencies of classes count, unless they are chance: the same rows have the advice of SaysWhatItSaw.
TEST(Update, AdviceCountsClasses) {
  const Rows old(3000, 1);
  const Model model = fitted(old).model;
  Rows more(1000, 2), one;
  for (std::size_t i = 0; i < more.y.size(); ++i) {  // the model expects each of them, but not so many
    if (model.predict({more.view().row(i), 1, 3}, 1).probabilities[1] < 0.7) continue;
    one.x.insert(one.x.end(), more.view().row(i), more.view().row(i) + 3);
    one.y.push_back(1);
  }
  const UpdateReport report = update(model, one.view(), one.y, {.threads = 1}).report;
  EXPECT_LT(report.z, 0);
  EXPECT_LT(report.classes[0].z, -5);
  EXPECT_EQ(report.advice, "refit");
  EXPECT_NE(report.reason.find("0 rows of class 'a' where"), std::string::npos) << report.reason;
}

TEST(Update, GapsAndLevelsThatWereNeverSeen) {
  const Rows old(500, 1);
  Rows more(300, 2);
  for (std::size_t i = 0; i < 300; ++i) {
    if (i % 4 == 0) more.x[3 * i + 2] = 3;    // no level of the model
    if (i % 5 == 0) more.x[3 * i + 1] = NAN;  // the column had no gaps
  }
  const Model model = fitted(old).model;
  const Update done = update(model, more.view(), more.y, {.threads = 1});
  EXPECT_EQ(done.report.unknown_levels, 75U);
  EXPECT_GE(done.report.new_gaps, 60U);
  for (const double p : done.model.predict(more.view(), 1).probabilities) ASSERT_TRUE(p >= 0 && p <= 1);
  EXPECT_EQ(done.report.columns[0].what, "(unknown)");
  EXPECT_NEAR(done.report.columns[0].after, 0.25, 1e-12);
  EXPECT_EQ(done.report.columns[1].what, "missing");
  EXPECT_NEAR(done.report.columns[1].after, 0.2, 1e-12);
}

TEST(Update, GrowingLearnsNewRegions) {
  const Rows old(2000, 1), moved(2000, 4, 2, 0, 8), test(2000, 5, 2, 0, 8);
  const Model model = fitted(old).model;
  const Update plain = update(model, moved.view(), moved.y, {.threads = 1}),
               grown = update(model, moved.view(), moved.y, {.grow = true, .threads = 1});
  EXPECT_GT(grown.report.inputs_added, 0U);
  EXPECT_EQ(grown.model.inducing(), model.inducing() + grown.report.inputs_added);
  EXPECT_LT(nll(grown.model, test), nll(plain.model, test) - 0.01);
  EXPECT_LT(nll(grown.model, old), nll(plain.model, old) + 0.001);
  const Model again = Model::from_bytes(grown.model.to_bytes());
  EXPECT_EQ(again.predict(test.view(), 1).probabilities, grown.model.predict(test.view(), 1).probabilities);
}

// More inducing inputs change no prediction by themselves. Oracle: the model before.
TEST(Update, GrownFramePredictsTheSame) {
  const Rows old(600, 1, 3), test(300, 2, 3, 0, 2);
  for (const std::string kernel : {"se", "matern32+mains:job,size"}) {
    detail::Fitted fitted_model = detail::state_of(fitted(old, quick(kernel)).model).fitted;
    const detail::FeatureMap map = detail::state_of(fitted(old, quick(kernel)).model).map;
    detail::Workers workers(1);
    const detail::RowMatrix X = map.apply(test.view(), workers);
    detail::Vector m, S2, m_grown, S2_grown;
    detail::Pass(X, fitted_model.frame.m(), workers).marginals(fitted_model.frame, fitted_model.q, m, S2);
    const detail::Index before = fitted_model.frame.m();
    ASSERT_EQ(detail::grow_frame(fitted_model, X.topRows(7)), 7);
    ASSERT_EQ(fitted_model.frame.m(), before + 7);
    detail::Pass(X, fitted_model.frame.m(), workers)
        .marginals(fitted_model.frame, fitted_model.q, m_grown, S2_grown);
    expect_close(m_grown, m, 1e-7, "m");
    expect_close(S2_grown, S2, 1e-7, "S2");
  }
}

TEST(Update, ForgettingFollowsDrift) {
  const Rows old(3000, 1), drifted(600, 2, 2, 3.0), test(3000, 3, 2, 3.0);
  const Model model = fitted(old).model;
  const Update all = update(model, drifted.view(), drifted.y, {.threads = 1}),
               recent = update(model, drifted.view(), drifted.y, {.forget = 200, .threads = 1});
  EXPECT_NEAR(recent.report.kept, 0.125, 1e-12);
  EXPECT_LT(nll(recent.model, test), nll(all.model, test));
  EXPECT_LT(nll(all.model, test), nll(model, test));
}

// Rows in parts: the same as one call for each part, whatever the pieces that they arrive in.
TEST(Update, PiecesOfRowsDoNotMatter) {
  const Rows old(500, 1), more(1500, 2);
  const Model model = fitted(old).model;
  Updater updater(model, {.threads = 1});
  for (std::size_t first = 0; first < 1500; first += 400) {
    const std::size_t count = std::min<std::size_t>(400, 1500 - first);
    updater.learn(TableView{more.x.data() + 3 * first, count, 3}, std::span(more.y).subspan(first, count));
  }
  EXPECT_TRUE(updater.finish().model.to_bytes() ==
              update(model, more.view(), more.y, {.threads = 1}).model.to_bytes());
}

// One class alone is a right result: it becomes more probable.
TEST(Update, OneClassAlone) {
  const Rows old(500, 1);
  Rows more(200, 2);
  std::fill(more.y.begin(), more.y.end(), 1);
  const Model model = fitted(old).model;
  const Update done = update(model, more.view(), more.y, {.threads = 1});
  double before = 0, after = 0;
  for (const double p : model.predict(more.view(), 1).probabilities_of(1)) before += p;
  for (const double p : done.model.predict(more.view(), 1).probabilities_of(1)) after += p;
  EXPECT_GT(after, before);
  EXPECT_EQ(done.report.classes[0].nll, 0);
}

void expect_error(const std::function<void()>& call, const std::string& part) {
  try {
    call();
    FAIL() << "no error about " << part;
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

TEST(Update, ErrorsInWords) {
  const Rows old(300, 1), more(50, 2);
  const Model model = fitted(old).model;
  expect_error([&] { update(model, {more.x.data(), 75, 2}, std::vector<int>(75, 0)); }, "the model has 3");
  expect_error([&] { update(model, more.view(), std::vector<int>(50, 2)); }, "from 0 to 1");
  expect_error([&] { update(model, more.view(), std::vector<int>(49, 0)); }, "50 rows but 49 labels");
  expect_error([&] { update(model, more.view(), more.y, {}, std::vector<double>(50, -1)); },
               "the weight in row 0 is -1");
  expect_error([&] { update(model, more.view(), more.y, {}, std::vector<double>(50, 0)); },
               "no rows to learn");
  expect_error([&] { update(model, more.view(), more.y, {.forget = -1}); }, "forget is -1");
  expect_error(
      [&] {
        update(Model::load(std::string(INDUCE_TESTS) + "/golden/version9_terms.model"), more.view(), more.y);
      },
      "cannot be updated");
}

// A sparse model learns the features of its projection.
TEST(Update, SparseRows) {
  Random random(5);
  std::vector<std::int64_t> start{0};
  std::vector<std::int32_t> column;
  std::vector<double> value;
  std::vector<int> y;
  for (int i = 0; i < 600; ++i) {
    const int topic = i % 2;
    for (int k = 0; k < 6; ++k) {
      const auto word = static_cast<std::int32_t>(300 * k + 150 * topic + 150 * random.uniform());
      column.push_back(word);
      value.push_back(1);
    }
    start.push_back(static_cast<std::int64_t>(column.size()));
    y.push_back(random.uniform() < 0.1 ? 1 - topic : topic);
  }
  const SparseView old{400, 2000, start.data(), column.data(), value.data()},
      more{200, 2000, start.data() + 400, column.data(), value.data()};
  const Model model = fit(old, std::span(y).first(400), quick()).model;
  ASSERT_TRUE(model.sparse());
  const Update done = update(model, more, std::span(y).last(200), {.threads = 1});
  EXPECT_EQ(done.report.n, 200U);
  EXPECT_TRUE(done.report.columns.empty());
  EXPECT_LT(done.report.fitted_nll, done.report.nll);
  EXPECT_TRUE(Model::from_bytes(done.model.to_bytes()).sparse());
}

}  // namespace
}  // namespace induce::testing
