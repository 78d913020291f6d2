// vi-newton: theta, mean and Z together by L-BFGS-B on the profiled true bound (profiled_bound.hpp), in
// stages of more and more rows and inducing inputs (growth.hpp).
//
// Maps of the features compete: their bounds are of the same labels, so comparable. Both run the first stage;
// the worse one is dropped when it is clearly worse, at the latest when the next stage would have all rows.
#include <algorithm>
#include <numeric>

#include "data/random.hpp"
#include "train/contender.hpp"
#include "train/train.hpp"

namespace induce {
namespace {

constexpr double clearly_worse = 2e-3;  // nats a row

bool decided(const std::vector<Contender>& by_value) {
  const Contender &best = by_value[0], &other = by_value[1];
  return best.value() - other.value() > clearly_worse * static_cast<double>(best.rows());
}

// One that has come further is ahead: bounds compare on the same rows only.
bool is_ahead(const Contender& a, const Contender& b) {
  return a.rows() != b.rows() ? a.rows() > b.rows() : a.value() > b.value();
}

}  // namespace

Outcome train_newton(const GrowingData& data, const TrainingSetup& setup, const GrowthSettings& settings,
                     Workers& workers, Monitor& monitor) {
  const Index n = data.targets.n(), positive = (data.targets.y.array() > 0).count();
  std::vector<Index> order(n);
  std::iota(order.begin(), order.end(), Index{0});
  Random(settings.seed).shuffle(order);
  Arena arena{data, setup, settings.seed, order, workers, monitor};
  std::vector<Contender> contenders;
  for (std::size_t map = 0; map < data.maps.size(); ++map) contenders.emplace_back(arena, map);

  Outcome outcome;
  const Growth growth(n, data.rows.d(), settings.inducing, setup.layout.inputs,
                      std::min(positive, n - positive));
  double fewer = -INFINITY;  // the bound of all rows with fewer inducing inputs
  for (Stage stage = growth.first();;) {
    int fitted = 0;
    for (Contender& contender : contenders) {
      if (contender.fit(stage)) {
        outcome.ladder.push_back(contender.step());
        ++fitted;
      }
      if (monitor.must_stop()) break;
    }
    if (fitted == 0 && !monitor.interrupted())
      outcome.failure = "the bound is not finite at the start of a stage of " + std::to_string(stage.rows) +
                        " rows and " + std::to_string(stage.m) + " inducing inputs";
    std::stable_sort(contenders.begin(), contenders.end(), is_ahead);
    const Contender& best = contenders[0];
    if (stage.last || monitor.must_stop() || !outcome.failure.empty()) break;

    const double rows = static_cast<double>(n), gain = (best.value() - fewer) / rows;
    if (stage.rows == n) fewer = best.value();
    stage = growth.next(stage, best.fitted().frame.m(), gain);
    if (!stage.last && best.estimate(stage) > monitor.seconds_left())
      stage = growth.last(best.fitted().frame.m());
    if (contenders.size() > 1 && (stage.rows == n || decided(contenders)))
      contenders.erase(contenders.begin() + 1);
  }

  Contender& best = contenders[0];
  outcome.fitted = best.fitted();
  outcome.map = best.map();
  outcome.rows = static_cast<std::size_t>(best.rows());
  outcome.bound = best.value();
  outcome.elbo = best.elbo();
  outcome.sparsity_price = best.sparsity_price();
  outcome.converged = best.converged() && best.rows() == n;
  outcome.passes = arena.passes;
  outcome.kept_bytes = arena.kept_bytes;
  if (best.rows() > 0 && !monitor.interrupted())
    best.leave_one_out(outcome.loo_probability, outcome.loo_targets);
  return outcome;
}

}  // namespace induce
