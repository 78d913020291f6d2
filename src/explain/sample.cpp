#include "explain/sample.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/random.hpp"

namespace induce::detail {
namespace {

constexpr std::uint64_t sample_seed = 20;  // any fixed number: the same rows give the same explanation

// Work is counted in covariances times what one of them costs, in multiplications: 7 to 14 of them take 1 ns.
constexpr double least_budget = 1e8, most_budget = 7e9, most_work = 2e11;
constexpr double evaluations_per_row = 40;  // a fit computes each covariance of a row several hundred times

double work_of(const ExplainProblem& problem, const ExplainSizes& sizes) {
  const auto number = [](Index count) { return static_cast<double>(count); };
  const double m = number(problem.m), each = number(problem.d) + 16;
  const double columns = number(problem.columns > 0 ? problem.columns : problem.d);
  const double points = number(problem.few_values) + (columns - number(problem.few)) * number(sizes.points);
  return points * (number(sizes.curve) * m * each + number(sizes.band * sizes.band) * each + m * m) +
         columns * number(sizes.rows * sizes.permutations) * m * each;
}

// scale = 1: the most that is useful.
ExplainSizes scaled_sizes(const ExplainProblem& problem, double scale) {
  const auto part = [&](double most, Index least, double of) {
    return std::max(least, static_cast<Index>(std::lround(most * of)));
  };
  ExplainSizes sizes;
  sizes.rows = std::min(problem.sample, part(1000, 64, scale));
  const Index moved = static_cast<Index>(2000 * scale);  // rows, in all permutations together
  sizes.permutations = std::clamp<Index>(moved / sizes.rows, 1, std::max<Index>(1, sizes.rows - 1));
  sizes.curve = std::min(sizes.rows, part(256, 16, scale));
  sizes.band = std::min(sizes.curve, part(48, 8, std::sqrt(scale)));
  constexpr Index fewest_points = 11;
  sizes.points = part(41, fewest_points, std::sqrt(scale));
  sizes.wide = sizes.points == fewest_points;
  return sizes;
}

constexpr double smallest_scale = 1e-3;

}  // namespace

RowSample draw_rows(const MemoryStore& rows, const FeatureMap& map, Workers& workers) {
  const Index most = std::clamp<Index>(2'000'000 / map.features(), 64, 2048);
  const double total = rows.weight().sum();
  const bool whole =
      total <= static_cast<double>(most) &&
      std::all_of(rows.weight().begin(), rows.weight().end(), [](double w) { return w == std::floor(w); });
  const Index n = whole ? static_cast<Index>(total) : most;
  // Systematic sampling: n positions at equal distances along the cumulated weights. The rows come in the order of
  // a hash, so their order means nothing.
  RowSample sample;
  double passed = rows.weight()[0];
  Index row = 0;
  for (Index k = 0; k < n; ++k) {
    const double position = (static_cast<double>(k) + 0.5) / static_cast<double>(n) * total;
    while (passed < position && row + 1 < rows.n()) passed += rows.weight()[++row];
    sample.rows.push_back(row);
  }
  Random(sample_seed).shuffle(sample.rows);
  sample.X = map.apply(rows.table(), rows.table_rows(sample.rows), workers);
  return sample;
}

ExplainSizes explain_sizes(const ExplainProblem& problem) {
  const double fit = evaluations_per_row * static_cast<double>(problem.n) * static_cast<double>(problem.m) *
                     static_cast<double>(problem.d + 16);
  const double budget = std::clamp(fit, least_budget, most_budget);
  for (double scale = 1; scale > smallest_scale; scale *= 0.8)
    if (const ExplainSizes sizes = scaled_sizes(problem, scale); work_of(problem, sizes) <= budget)
      return sizes;
  return scaled_sizes(problem, smallest_scale);
}

bool too_wide_to_explain(const ExplainProblem& problem) {
  return work_of(problem, scaled_sizes(problem, smallest_scale)) > most_work;
}

}  // namespace induce::detail
