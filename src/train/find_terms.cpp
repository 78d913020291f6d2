#include "train/find_terms.hpp"

#include <algorithm>
#include <cmath>

#include "optim/lbfgsb.hpp"
#include "train/local_site_rows.hpp"
#include "train/profiled_bound.hpp"
#include "train/row_sums.hpp"

namespace induce::detail {
namespace {

constexpr double rows_per_knot = 50;
constexpr double fewest_knots = 16, most_knots = 512;          // of a column, by rows
constexpr double least_knots = 6;                              // whatever the work
constexpr double fewest_pair_knots = 8, most_pair_knots = 20;  // a side
// For two classes. The algebra of C functions grows as C M^3.
constexpr double most_main_values = 800, most_pair_values = 1500;
constexpr int short_fit = 8;          // iterations
constexpr double cell_precision = 4;  // of the prior of a cell

double share_of_function(Index functions) { return 1 / std::cbrt(static_cast<double>(functions)); }

bool is_number(const Axis& axis, const double* x) {
  if (axis.value < 0) return false;
  for (Index f = axis.first; f < axis.first + axis.count; ++f)
    if (f != axis.value && x[f] > 0.5) return false;
  return true;
}

struct Slopes {
  Vector g, w;  // n x C
};

// After a short fit of main effects.
Slopes slopes_of_mains(const TrainingPlan& plan, const RowMatrix& X, const Targets& targets,
                       Workers& workers) {
  const Layout layout{.kernel = make_kernel("mains", plan.setting), .mean = true, .inputs = false};
  const Index functions = plan.likelihood.latent_functions();
  Prior prior{.theta = layout.kernel->start(), .mean = 0, .Z = Matrix(0, X.cols())};
  if (functions > 1) prior.classes.resize(static_cast<std::size_t>(functions));
  const StageNeeds needs{0, plan.likelihood, "newton", plan.setting, 0};
  ProfiledBound bound(std::make_unique<LocalSiteRows>(stage_rows(X, targets), needs, workers),
                      plan.likelihood, layout, workers);
  bound.start(prior);
  LbfgsbSettings settings;
  settings.max_iterations = short_fit;
  settings.max_evaluations = 2 * short_fit;
  maximize_lbfgsb([&](const Vector& x, Vector& gradient) { return bound(x, gradient); }, layout.pack(prior),
                  layout.lower(prior), layout.upper(prior), settings);
  const ProfiledPoint& best = bound.best();
  if (!best.ok) return {};
  Vector mean, S2;
  Pass(X, 0, workers).marginals(best.frame, best.q(), mean, S2);
  Sites sites(X.rows(), functions);
  refresh_sites(*make_site_rule("newton", plan.likelihood), targets, mean, S2, workers, sites);
  return {sites.t - sites.w.cwiseProduct(mean), sites.w};
}

}  // namespace

void find_axes(const FeatureMap& map, const RowMatrix& X, const Vector& weight, Index rows, Index functions,
               KernelSetting& setting) {
  const Index columns = map.columns();
  const double n = static_cast<double>(rows),
               by_rows = std::clamp(n / rows_per_knot, fewest_knots, most_knots),
               by_work = share_of_function(functions) * most_main_values / static_cast<double>(columns);
  const auto knots = static_cast<Index>(std::max(least_knots, std::min(by_rows, by_work)));
  const auto pair_knots =
      static_cast<Index>(std::clamp(std::cbrt(n) / 2, fewest_pair_knots, most_pair_knots));
  for (Index column = 0; column < columns; ++column) {
    Axis axis{.first = column, .count = 1, .value = column, .knots = {}, .ranks = {}};
    if (!map.encoding.is_plain()) {
      std::tie(axis.first, axis.count) = map.encoding.features_of(column);
      axis.value = map.encoding.value_of(column);
    }
    std::vector<std::pair<double, double>> numbers;
    for (Index i = 0; i < X.rows(); ++i)
      if (is_number(axis, &X(i, 0))) numbers.emplace_back(X(i, axis.value), weight[i]);
    for (const auto& [most, axes] :
         {std::pair(knots, &setting.axes), std::pair(pair_knots, &setting.pair_axes)}) {
      if (!numbers.empty()) place_knots(axis, numbers, most);
      axes->push_back(axis);
    }
  }
}

std::vector<std::pair<Index, Index>> find_pairs(const TrainingPlan& plan, const RowMatrix& X,
                                                const Targets& targets, Workers& workers) {
  const std::vector<Axis>& axes = plan.setting.pair_axes;
  const Index columns = static_cast<Index>(axes.size()), n = X.rows(),
              functions = plan.likelihood.latent_functions();
  const Slopes slopes = slopes_of_mains(plan, X, targets, workers);
  struct Found {
    double gain;
    Index first, second;
  };
  std::vector<std::vector<Found>> found(static_cast<std::size_t>(columns));  // by the second column
  if (slopes.g.size() == 0) return {};
  Eigen::Matrix<std::int32_t, Eigen::Dynamic, Eigen::Dynamic> cell(n, columns);
  workers.run(columns, [&](Index column, int /*worker*/) {
    for (Index i = 0; i < n; ++i)
      cell(i, column) = static_cast<std::int32_t>(std::lround(axes[column].position(&X(i, 0))));
  });
  workers.run(columns, [&](Index second, int /*worker*/) {
    for (Index first = 0; first < second; ++first) {
      if (axes[first].size() < 2 || axes[second].size() < 2) continue;
      const Index size = axes[first].size() * axes[second].size();
      double gain = 0;
      for (Index c = 0; c < functions; ++c) {
        Vector a = Vector::Zero(size), b = Vector::Zero(size);
        for (Index i = 0; i < n; ++i) {
          const Index at = cell(i, first) * axes[second].size() + cell(i, second);
          a[at] += slopes.g[i * functions + c];
          b[at] += slopes.w[i * functions + c];
        }
        gain += (a.array().square() / (b.array() + cell_precision)).sum() / 2 -
                (b.array() / cell_precision).log1p().sum() / 2;
      }
      if (gain > 0) found[second].push_back({gain, first, second});
    }
  });
  std::vector<Found> all;
  for (const auto& of_column : found) all.insert(all.end(), of_column.begin(), of_column.end());
  std::stable_sort(all.begin(), all.end(), [](const Found& a, const Found& b) { return a.gain > b.gain; });
  std::vector<std::pair<Index, Index>> pairs;
  Index values = 0;
  for (const Found& each : all) {
    values += axes[each.first].size() * axes[each.second].size();
    if (static_cast<double>(values) > share_of_function(functions) * most_pair_values) break;
    pairs.emplace_back(each.first, each.second);
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

}  // namespace induce::detail
