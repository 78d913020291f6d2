// vi-newton: theta, mean and Z together by L-BFGS-B on the profiled true bound (profiled_bound.hpp), on rows
// that grow.
//
// Theta and Z need far fewer rows than q to be nearly right. So the rows are shuffled once, the fit starts on
// a few thousand of them, and each stage takes four times as many, starting at the theta and Z of the last;
// its predictions put the new rows' sites in place. The last stage is all rows to the full tolerance: where
// the fit ends does not depend on the earlier ones, only how soon.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "data/random.hpp"
#include "optim/lbfgsb.hpp"
#include "train/profiled_bound.hpp"
#include "train/train.hpp"

namespace induce {
namespace {

constexpr Index growth = 4;
// Relative change of the bound in one step of L-BFGS-B at which a stage ends.
constexpr double stage_tolerance = 1e-4, final_tolerance = 1e-6;

// At least so many rows that theta is not fitted to chance.
Index first_rows(Index n, Index m, Index parameters) {
  return std::min(n, std::max({Index{2000}, 10 * m, 4 * parameters}));
}

std::vector<Index> rows_of_stages(Index n, Index first) {
  std::vector<Index> rows{n};
  while (rows.back() > growth * first / 2) rows.push_back(std::max(first, rows.back() / growth));
  std::reverse(rows.begin(), rows.end());
  return rows;
}

}  // namespace

Outcome train_newton(const TrainingData& data, const TrainingSetup& setup, std::uint64_t seed,
                     Workers& workers, Monitor& monitor) {
  const Index n = data.X.rows(), d = data.X.cols(), m = setup.start.Z.rows();
  std::vector<Index> order(n);
  std::iota(order.begin(), order.end(), Index{0});
  const std::vector<Index> stages = rows_of_stages(n, first_rows(n, m, d));
  if (stages.size() > 1) Random(seed).shuffle(order);
  const RowMatrix X = data.X(order, Eigen::all);
  const Vector y = data.y(order);

  Outcome outcome;
  Prior prior = setup.start;
  const Layout& layout = setup.layout;
  for (const Index rows : stages) {
    const bool last = rows == n;
    const Vector y_stage = y.head(rows);
    ProfiledBound bound({X.data(), static_cast<std::size_t>(rows), static_cast<std::size_t>(d)}, y_stage, m,
                        setup.shape, layout, workers, setup.memory);
    if (outcome.fitted.frame.ok) {
      Vector mean, S2;
      Pass(TableView{X.data(), static_cast<std::size_t>(rows), static_cast<std::size_t>(d)}, m, workers)
          .marginals(outcome.fitted.frame, outcome.fitted.q, mean, S2);
      bound.start(prior, mean, S2);
    } else {
      bound.start(prior);
    }
    LbfgsbSettings settings;
    settings.max_evaluations = 20 * monitor.max_iter();
    settings.max_iterations = monitor.max_iter();
    settings.relative_reduction = last ? final_tolerance : stage_tolerance;
    settings.projected_gradient = 1e-5;
    settings.out_of_time = [&] { return monitor.out_of_time(); };
    settings.on_iteration = [&](const Vector&, double) {
      monitor.after_iteration(
          bound.best().elbo, outcome.passes + bound.passes(),
          [&] {
            return Fitted{bound.best().frame, bound.best().collapsed.q};
          },
          [&] { return bound.best().elbo; });
      return !monitor.must_stop();
    };
    const Optimum optimum =
        maximize_lbfgsb([&](const Vector& x, Vector& gradient) { return bound(x, gradient); },
                        layout.pack(prior), layout.lower(prior), layout.upper(prior), settings);
    outcome.passes += bound.passes();
    outcome.kept_bytes = std::max(outcome.kept_bytes, bound.kept_bytes());
    const ProfiledPoint& best = bound.best();
    if (!best.ok) {
      outcome.failure =
          "the bound is not finite at the start of a stage of " + std::to_string(rows) + " rows";
      break;
    }
    prior = best.prior;
    outcome.fitted = {best.frame, best.collapsed.q};
    outcome.bound = outcome.elbo = best.elbo;
    outcome.sparsity_price = best.collapsed.sparsity_price;
    outcome.converged = last && optimum.converged;
  }
  return outcome;
}

}  // namespace induce
