// Effects of terms. Oracles: the model's predictions, averages over all pairs of rows, draws from the posterior, the covariance that
// predictions use, and the function that the rows were drawn from.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>
#include <numeric>

#include <induce/explain.hpp>
#include <induce/fit.hpp>

#include "explain/explainer.hpp"
#include "linalg/random.hpp"
#include "model/state.hpp"
#include "support/close.hpp"

namespace induce::testing {
namespace {

constexpr double gap = std::numeric_limits<double>::quiet_NaN();

// Two correlated numbers, the second with gaps, and a category of four levels.
struct Made {
  explicit Made(std::size_t n, std::size_t classes, bool whole = false) {
    names.features = {"a", "b", "c"};
    names.columns = {
        {ColumnKind::number, {}}, {ColumnKind::number, {}}, {ColumnKind::category, {"p", "q", "r", "s"}}};
    names.classes =
        classes == 2 ? std::vector<std::string>{"no", "yes"} : std::vector<std::string>{"u", "v", "w"};
    Random random(7);
    for (std::size_t i = 0; i < n; ++i) {
      const double a = whole ? static_cast<double>(random.below(6)) : random.normal();
      const double b = whole ? static_cast<double>(random.below(5)) : a / 2 + random.normal();
      const auto c = static_cast<double>(random.below(4));
      const bool missing = random.uniform() < 0.15;
      const double f = std::sin(2 * a) + (missing ? 1 : a * b / 2) + (c == 1 ? b : 0) - c / 2;
      x.insert(x.end(), {a, missing ? gap : b, c});
      y.push_back(random.uniform() < 1 / (1 + std::exp(-f)) ? 1
                  : classes == 3 && random.uniform() < 0.4  ? 2
                                                            : 0);
    }
  }
  TableView view() const { return {x.data(), y.size(), 3}; }
  Model fitted(const std::string& kernel) const {
    Options options;
    options.kernel = kernel;
    options.inducing = 12;
    options.threads = 1;
    return fit(view(), y, options, {}, names).model;
  }

  Names names;
  std::vector<double> x;
  std::vector<int> y;
};

// f_c minus the average of all, of three functions or more: rows x functions.
Matrix predicted_mean(const Model& model, TableView rows) {
  const Prediction all = model.predict(rows);
  Matrix mean = Eigen::Map<const RowMatrix>(all.mean.data(), static_cast<Index>(rows.n),
                                            static_cast<Index>(all.functions()));
  subtract_average(mean);
  return mean;
}

struct Case {
  const char* kernel;
  std::size_t classes;
};

class OfTerms : public ::testing::TestWithParam<Case> {
 protected:
  OfTerms()
      : made(300, GetParam().classes),
        model(made.fitted(GetParam().kernel)),
        fitted(state_of(model).fitted),
        X(state_of(model).map.apply(made.view(), workers)),
        effects(fitted, X) {}

  Workers workers{1};
  Made made;
  Model model;
  const Fitted& fitted;
  RowMatrix X;
  TermEffects effects;
};

TEST_P(OfTerms, APairIsZeroOnAverageOverEitherColumn) {
  const RowMatrix some = X.topRows(7);
  ASSERT_EQ(effects.pairs().size(), 2u);
  for (const Index p : effects.pairs()) {
    const Matrix first = effects.pair(p, X, some).mean, second = effects.pair(p, some, X).mean;
    EXPECT_GT(first.cwiseAbs().maxCoeff(), 1e-3);
    for (Index c = 0; c < first.cols(); ++c)
      for (Index k = 0; k < some.rows(); ++k) {
        double over_first = 0, over_second = 0;
        for (Index i = 0; i < X.rows(); ++i) {
          over_first += first(i * some.rows() + k, c);
          over_second += second(k * X.rows() + i, c);
        }
        EXPECT_NEAR(over_first, 0, 1e-10);
        EXPECT_NEAR(over_second, 0, 1e-10);
      }
  }
}

TEST_P(OfTerms, PiecesAndTheJointTermAddUpToThePrediction) {
  Matrix sum = Matrix::Zero(X.rows(), fitted.frame.functions());
  if (fitted.frame.m() > 0) {
    FewRows rows;
    rows.resize(X.rows(), X.cols());
    rows.X() = X;
    const Eigen::Map<const Matrix> K(rows.covariance(*fitted.frame.placed, fitted.frame.m()),
                                     fitted.frame.m(), X.rows());
    for (Index c = 0; c < sum.cols(); ++c)
      sum.col(c) = fitted.frame.scale(c) * (K.transpose() * fitted.q[c].alpha);
  }
  for (Index column = 0; column < 3; ++column) {
    const Matrix own = effects.mean(effects.column(column, X), X.rows());
    expect_close(Vector(own.colwise().sum()), Vector::Zero(own.cols()), 1e-10, "sum of a main effect");
    sum += own;
  }
  subtract_average(sum);
  for (const Index p : effects.pairs()) sum += effects.pair_mean(p, X);
  Matrix rest = predicted_mean(model, made.view()) - sum;
  rest.rowwise() -= Eigen::RowVectorXd(rest.row(0));
  EXPECT_LT(rest.cwiseAbs().maxCoeff(), 1e-10) << "more than a constant";
}

// The definition of an effect, by predictions of all rows with the value of each other row; the joint term is not part of it here.
TEST_P(OfTerms, AnEffectIsAnAverageOfPredictions) {
  if (fitted.frame.m() > 0) return;
  constexpr Index n = 60;
  const RowMatrix some = X.topRows(n);
  const TermEffects of_some(fitted, some);
  for (Index column = 0; column < 3; ++column) {
    std::vector<double> moved;
    for (Index i = 0; i < n; ++i)
      for (Index k = 0; k < n; ++k)
        for (Index f = 0; f < 3; ++f)
          moved.push_back(made.x[static_cast<std::size_t>(3 * (f == column ? i : k) + f)]);
    const Matrix all = predicted_mean(model, {moved.data(), static_cast<std::size_t>(n * n), 3});
    Matrix want(n, all.cols()), got = of_some.mean(of_some.column(column, some), n);
    for (Index i = 0; i < n; ++i) want.row(i) = all.middleRows(i * n, n).colwise().mean();
    want.rowwise() -= Eigen::RowVectorXd(want.colwise().mean());
    subtract_average(got);
    expect_close_matrix(got, want, 1e-10, "effect of column " + std::to_string(column));
  }
}

// S of core/posterior.hpp, which predictions use, and draws of e ~ N(a, I - D).
TEST_P(OfTerms, BandsAreThoseOfThePosterior) {
  const PlacedTerms& placed = *fitted.frame.terms();
  const Terms& terms = placed.terms();
  const Index p = effects.pairs()[1], at = terms.at(p), size = terms[p].size(),
              functions = fitted.frame.functions();
  const RowMatrix some = X.topRows(4);
  const Curve got = effects.pair(p, some, some);

  // The entries of all points by a brute average over all rows.
  const auto entries = [&](const Axis& axis, const double* x) {
    Vector h = Vector::Zero(axis.size());
    const double position = axis.position(x), whole = std::floor(position);
    h[static_cast<Index>(whole)] += 1 - (position - whole);
    if (position > whole) h[static_cast<Index>(whole) + 1] += position - whole;
    return h;
  };
  const auto centred = [&](std::size_t k, Index row) {
    Vector h = entries(terms[p].axes[k], X.row(row).data());
    for (Index i = 0; i < X.rows(); ++i)
      h -= entries(terms[p].axes[k], X.row(i).data()) / static_cast<double>(X.rows());
    return h;
  };
  Matrix omega(size, 16);
  for (Index i = 0; i < 4; ++i)
    for (Index j = 0; j < 4; ++j) {
      const Matrix grid =
          centred(1, j) * centred(0, i).transpose();  // its columns one after the other: second changes first
      omega.col(4 * i + j) = Eigen::Map<const Vector>(grid.data(), size);
    }
  Matrix variance(16, functions), drawn = Matrix::Zero(16, functions);
  constexpr int draws = 4000;
  Random random(3);
  for (Index c = 0; c < functions; ++c) {
    const Matrix S = terms.from_tables(fitted.q[c].tables.data()).block(at, at, size, size);
    const double r2 = fitted.frame.scale(c) * fitted.frame.scale(c);
    variance.col(c) = r2 * (omega.transpose() * S * omega).diagonal();
    const Matrix D = fitted.q[c].D.bottomRightCorner(terms.values(), terms.values());
    const Matrix R = Eigen::LLT<Matrix>(Matrix::Identity(D.rows(), D.cols()) - D).matrixL();
    Matrix e(draws, terms.values());
    for (Index k = 0; k < e.size(); ++k) e.data()[k] = random.normal();
    e = e * R.transpose();
    placed.times_transposed_factor(e);
    drawn.col(c) = r2 * (e.middleCols(at, size) * omega).colwise().squaredNorm().transpose() / draws;
  }
  const Curve want = curve_of(got.mean, variance), sampled = curve_of(got.mean, drawn);
  expect_close_matrix(got.deviation, want.deviation, 1e-9, "deviation");
  for (Index k = 0; k < got.deviation.size(); ++k)
    EXPECT_NEAR(sampled.deviation.data()[k] / want.deviation.data()[k], 1, 0.06);
}

INSTANTIATE_TEST_SUITE_P(Kernels, OfTerms,
                         ::testing::Values(Case{"mains+pairs:a*b,b*c", 2}, Case{"se+mains+pairs:a*b,b*c", 2},
                                           Case{"mains+pairs:a*b,b*c", 3},
                                           Case{"se+mains:a+pairs:a*b,b*c", 3}));

double effect_at(const Effect& effect, double value, std::size_t c) {
  if (std::isnan(value)) return effect.missing_mean[c];
  const auto at = std::find(effect.values.begin(), effect.values.end(), value);
  EXPECT_NE(at, effect.values.end());
  return effect.mean[c * effect.values.size() + static_cast<std::size_t>(at - effect.values.begin())];
}

std::size_t point_at(const PairEffect::Axis& axis, double value) {
  if (std::isnan(value)) {
    EXPECT_TRUE(axis.missing);
    return axis.values.size();
  }
  return static_cast<std::size_t>(std::find(axis.values.begin(), axis.values.end(), value) -
                                  axis.values.begin());
}

double pair_at(const PairEffect& pair, const double* row, std::size_t c) {
  const std::size_t i = point_at(pair.first, row[pair.first.feature]),
                    j = point_at(pair.second, row[pair.second.feature]);
  EXPECT_LT(i, pair.first.points());
  EXPECT_LT(j, pair.second.points());
  return pair.mean[(c * pair.first.points() + i) * pair.second.points() + j];
}

// With few values every point of a row is a point of the explanation, so that a prediction is their sum and a constant. Gaps and
// levels among them; and all of it survives a file.
TEST(TermEffects, OfAnExplanationAddUpToThePrediction) {
  for (const std::size_t classes : {2, 3}) {
    const Made made(600, classes, true);
    const Model model = Model::from_bytes(made.fitted("mains+pairs:a*b,b*c").to_bytes());
    ASSERT_TRUE(model.explanation());
    const Explanation again = explain(model, made.view());
    const Explanation& stored = *model.explanation();
    ASSERT_EQ(stored.pairs.size(), 2u);
    EXPECT_TRUE(stored.pairs[0].second.missing);
    EXPECT_EQ(stored.pairs[1].second.values.size(), 4u);
    for (std::size_t k = 0; k < 2; ++k) {
      EXPECT_EQ(stored.pairs[k].first.values, again.pairs[k].first.values);
      EXPECT_EQ(stored.pairs[k].mean, again.pairs[k].mean);
      EXPECT_EQ(stored.pairs[k].lower, again.pairs[k].lower);
      EXPECT_EQ(stored.pairs[k].upper, again.pairs[k].upper);
    }
    const Matrix f = predicted_mean(model, made.view());
    for (Index c = 0; c < f.cols(); ++c) {
      const auto curve = static_cast<std::size_t>(c);
      Vector rest = f.col(c);
      for (Index i = 0; i < f.rows(); ++i) {
        const double* row = made.view().row(static_cast<std::size_t>(i));
        for (const Effect& effect : stored.effects) rest[i] -= effect_at(effect, row[effect.feature], curve);
        for (const PairEffect& pair : stored.pairs) rest[i] -= pair_at(pair, row, curve);
      }
      EXPECT_LT(rest.maxCoeff() - rest.minCoeff(), 1e-10) << classes << " classes, " << c;
    }
  }
}

double share_of(const Explanation& explanation, const std::vector<std::size_t>& columns) {
  for (const TermShare& term : explanation.terms)
    if (term.features == columns) return term.share;
  return 0;
}

// f = 1.5 x0 + 1.5 x1 x2: half of the variance each.
TEST(TermEffects, SharesAreThoseOfTheTruth) {
  Random random(11);
  std::vector<double> x;
  std::vector<int> y;
  for (int i = 0; i < 4000; ++i) {
    const double a = random.normal(), b = random.normal(), c = random.normal();
    x.insert(x.end(), {a, b, c});
    y.push_back(random.uniform() < 1 / (1 + std::exp(-1.5 * a - 1.5 * b * c)));
  }
  for (const std::string kernel : {"mains+pairs", "se+mains+pairs", "se"}) {
    Options options;
    options.kernel = kernel;
    options.inducing = 40;
    options.threads = 1;
    const Explanation found = *fit({x.data(), y.size(), 3}, y, options).model.explanation();
    double sum = 0;
    for (const TermShare& term : found.terms) sum += term.share;
    EXPECT_NEAR(sum, 1, 1e-12) << kernel;
    EXPECT_EQ(found.terms.size(), 3 + found.pairs.size() + (kernel != "mains+pairs"));
    EXPECT_NEAR(share_of(found, {0}), 0.5, 0.12) << kernel;
    EXPECT_NEAR(share_of(found, {1, 2}) + share_of(found, {}), 0.5, 0.12) << kernel;
    if (kernel == "mains+pairs") {
      EXPECT_GT(share_of(found, {1, 2}), 0.38);
    }
  }
}

TEST(TermEffects, AColumnInNoTermHasNone) {
  const Made made(200, 3, true);
  const Explanation found = *made.fitted("mains:a").explanation();
  EXPECT_GT(share_of(found, {0}), 0.999);
  for (const std::size_t column : {1, 2}) {
    EXPECT_EQ(found.importance[column].total, 0);
    for (const auto* numbers :
         {&found.effects[column].mean, &found.effects[column].lower, &found.effects[column].upper})
      EXPECT_EQ(*numbers, std::vector<double>(numbers->size(), 0));
  }
}

// A term stays what it is at its end knots, with its variance there, and curves end there.
TEST(TermEffects, NothingIsExtrapolated) {
  const Made made(300, 2);
  const Model model = made.fitted("mains+pairs:a*b");
  double low = INFINITY, high = -INFINITY;
  for (std::size_t i = 0; i < 300; ++i) {
    low = std::min(low, made.x[3 * i]);
    high = std::max(high, made.x[3 * i]);
  }
  const std::vector<double> rows{low, 0.1, 2, low - 50, 0.1, 2, high, 0.1, 2, high + 50, 0.1, 2};
  const Prediction predicted = model.predict({rows.data(), 4, 3});
  for (const std::size_t end : {0, 2}) {
    EXPECT_EQ(predicted.mean[end], predicted.mean[end + 1]);
    EXPECT_EQ(predicted.variance[end], predicted.variance[end + 1]);
  }
  std::vector<double> moved = made.x;
  for (std::size_t i = 0; i < 300; ++i) moved[3 * i] = 20 * moved[3 * i];
  const Explanation far = explain(model, {moved.data(), 300, 3});
  EXPECT_GE(far.effects[0].values.front(), low - 1e-9);
  EXPECT_LE(far.effects[0].values.back(), high + 1e-9);
}

}  // namespace
}  // namespace induce::testing
