#include "explain/effects.hpp"

#include <algorithm>
#include <cmath>

#include "explain/explainer.hpp"
#include "linalg/blas.hpp"

namespace induce::detail {
namespace {

// In a wide table the curve of a feature with a smaller total importance has three points: it is flat.
constexpr double negligible_importance = 1e-3;
// A curve has a point for each knot of its terms, as far as it then has at most so many times the usual points.
constexpr Index finer = 3;
constexpr Index pair_points = 15;  // of a column that is a number, in the effect of a pair

// The number of values or levels of a column that its effect is shown at; 0: a grid.
std::size_t own_values(const FeatureMap& map, Index column, const FeatureRange& range) {
  if (map.encoding.is_plain()) return range.few.size();
  const ColumnCode& code = map.encoding.codes()[column];
  const std::size_t values = !code.is_number         ? code.levels.size() + 1
                             : code.repeated.empty() ? range.few.size()
                                                     : code.repeated.size();
  return values == 0 ? 0 : values + (code.gaps ? 1 : 0);
}

// The longest axis of the column in a term that has knots; nullptr: none.
const Axis* longest_axis(const Fitted& fitted, Index column) {
  const Axis* longest = nullptr;
  for (Index p = 0; fitted.frame.terms() && p < fitted.frame.terms()->terms().count(); ++p) {
    const Term& term = fitted.frame.terms()->terms()[p];
    for (std::size_t k = 0; k < term.axes.size(); ++k)
      if (term.columns[k] == column && term.axes[k].knots.size() > (longest ? longest->knots.size() : 1))
        longest = &term.axes[k];
  }
  return longest;
}

ExplainProblem problem_of(const Fitted& fitted, const MemoryStore& rows) {
  const Index terms = fitted.frame.terms() ? fitted.frame.terms()->terms().count() : 0;
  return {.n = rows.n(),
          .sample = rows.n(),
          .m = fitted.frame.m() + terms,  // a term costs a row about as much as an inducing input
          .d = fitted.frame.d(),
          .columns = rows.columns()};
}

// Do rows have a level without a feature of its own?
bool has_other_levels(const FeatureMap& map, Index column, const RowSample& sample) {
  return map.value_of(column) < 0 && (sample.X.col(map.encoding.other_of(column)).array() != 0).any();
}

std::vector<double> numbers(const Eigen::Ref<const Matrix>& A) {
  const Matrix whole = A;
  return {whole.data(), whole.data() + whole.size()};
}

Effect effect_of(Index column, const ColumnPoints& points, const Curve& curve) {
  const auto count = static_cast<Index>(points.values().size());
  const Matrix lower = curve.lower(), upper = curve.upper();
  Effect effect{static_cast<std::size_t>(column), points.values(), numbers(curve.mean.topRows(count)),
                numbers(lower.topRows(count)), numbers(upper.topRows(count))};
  if (!points.has_missing()) return effect;
  effect.missing_mean = numbers(curve.mean.bottomRows(1));
  effect.missing_lower = numbers(lower.bottomRows(1));
  effect.missing_upper = numbers(upper.bottomRows(1));
  return effect;
}

bool is_finite(const Explanation& explanation) {
  const auto finite = [](double x) { return std::isfinite(x); };
  for (const Effect& effect : explanation.effects)
    for (const auto* column :
         {&effect.values, &effect.lower, &effect.upper, &effect.missing_lower, &effect.missing_upper})
      if (!std::all_of(column->begin(), column->end(), finite)) return false;
  for (const PairEffect& pair : explanation.pairs)
    for (const auto* surface : {&pair.lower, &pair.upper})
      if (!std::all_of(surface->begin(), surface->end(), finite)) return false;
  return std::all_of(explanation.importance.begin(), explanation.importance.end(),
                     [&](const Importance& share) { return finite(share.main) && finite(share.total); });
}

}  // namespace

std::optional<Explanation> explain_fitted(const Fitted& fitted, const FeatureMap& map,
                                          const MemoryStore& rows, Workers& workers) {
  const blas::SingleThreadedBlas single;
  const blas::Buffers buffers(workers.size());
  const Index columns = map.columns();
  const RowSample sample = draw_rows(rows, map, workers);
  std::vector<FeatureRange> ranges(columns);
  workers.run(columns, [&](Index column, int /*worker*/) {
    const Index value = map.value_of(column);
    if (value < 0) return;
    ranges[column] = range_of(rows, sample, column, value);
    if (const Axis* axis = longest_axis(fitted, column))
      ranges[column].clip(axis->knots.front(), axis->knots.back());
  });
  ExplainProblem problem = problem_of(fitted, rows);
  problem.sample = sample.n();
  for (Index column = 0; column < columns; ++column) {
    const std::size_t own = own_values(map, column, ranges[column]);
    problem.few += own > 0;
    problem.few_values += static_cast<Index>(own);
  }
  const ExplainSizes sizes = explain_sizes(problem);

  Explainer explainer(fitted, sample, sizes, workers);
  if (!explainer.finite()) return std::nullopt;
  const auto points_of = [&](Index column, const FeatureRange& range, Index points) {
    return ColumnPoints(map, column, range, points, has_other_levels(map, column, sample));
  };
  Explanation explanation{std::vector<Effect>(columns), std::vector<Importance>(columns)};
  std::vector<Matrix> at_rows(columns);
  workers.run(columns, [&](Index column, int worker) {
    const Axis* axis = longest_axis(fitted, column);
    ColumnPoints points = points_of(
        column, ranges[column],
        std::clamp(axis ? static_cast<Index>(axis->knots.size()) : 0, sizes.points, finer * sizes.points));
    const Explainer::Moved moved = explainer.moved(points, worker);
    if (sizes.wide && moved.within < negligible_importance * moved.whole) points.thin();
    ColumnEffect effect = explainer.effect(column, points, worker);
    at_rows[column] = std::move(effect.at_rows);
    explanation.importance[column] = explainer.importance(moved, at_rows[column]);
    explanation.effects[column] = effect_of(column, points, effect.curve);
  });
  const std::vector<Index> pairs = explainer.terms().pairs();
  explanation.pairs.resize(pairs.size());
  workers.run(static_cast<Index>(pairs.size()), [&](Index k, int /*worker*/) {
    const auto points_on = [&](std::size_t which) {
      const Index column = fitted.frame.terms()->terms()[pairs[k]].columns[which],
                  value = map.value_of(column);
      return points_of(column,
                       value < 0 ? FeatureRange() : quantiles_of(rows, sample, column, value, pair_points),
                       pair_points);
    };
    const ColumnPoints first = points_on(0), second = points_on(1);
    const Curve surface =
        explainer.terms().pair(pairs[k], first.rows(map.features()), second.rows(map.features()));
    const auto axis = [](const ColumnPoints& points) {
      return PairEffect::Axis{points.column(), points.values(), points.has_missing()};
    };
    explanation.pairs[k] = {axis(first), axis(second), numbers(surface.mean), numbers(surface.lower()),
                            numbers(surface.upper())};
  });
  explanation.terms = explainer.shares(at_rows);
  if (!is_finite(explanation)) return std::nullopt;
  return explanation;
}

bool quick_to_explain(const Fitted& fitted, const MemoryStore& rows) {
  return !too_wide_to_explain(problem_of(fitted, rows));
}

}  // namespace induce::detail
