// vi-newton: theta, mean and Z together by L-BFGS-B on the profiled true bound (profiled_bound.hpp), in
// stages of more and more rows and inducing inputs (growth.hpp).
//
// Maps of the features compete: their bounds are of the same labels, so comparable. Both run the first stage;
// the worse one is dropped when it is clearly worse, at the latest when the next stage would have all rows.
#include <algorithm>
#include <numeric>

#include "state/random.hpp"
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

// Everything between two stages, and which contender is at work in one.
struct Race {
  Arena& arena;
  std::vector<Contender> contenders{};
  std::vector<Step> ladder{};
  Stage stage{};
  double fewer = -INFINITY;  // the bound of all rows with fewer inducing inputs
  std::size_t next = 0;      // contender of this stage
  int fitted = 0;            // contenders that this stage succeeded for

  void archive(Archive& a);
};

void archive_ladder(Archive a, std::vector<Step>& ladder) {
  std::vector<Index> rows, m, warped;
  std::vector<double> bound, seconds;
  for (const Step& step : ladder) {
    rows.push_back(static_cast<Index>(step.rows));
    m.push_back(static_cast<Index>(step.m));
    warped.push_back(step.warp != name_of(Warp::none));
    bound.push_back(step.bound);
    seconds.push_back(step.seconds);
  }
  a("rows", rows);
  a("m", m);
  a("warped", warped);
  a("bound", bound);
  a("seconds", seconds);
  const std::size_t steps = rows.size();
  if (m.size() != steps || warped.size() != steps || bound.size() != steps || seconds.size() != steps)
    a.reject("rows", "has another length than its neighbours");
  ladder.clear();
  for (std::size_t k = 0; k < steps; ++k)
    ladder.push_back({.rows = static_cast<std::size_t>(rows[k]),
                      .m = static_cast<std::size_t>(m[k]),
                      .warp = std::string(name_of(warped[k] ? Warp::yeo_johnson : Warp::none)),
                      .bound = bound[k],
                      .seconds = seconds[k]});
}

void Race::archive(Archive& a) {
  std::vector<Index> maps;
  for (const Contender& contender : contenders) maps.push_back(static_cast<Index>(contender.map()));
  a("maps", maps);  // in their order: it is that of the ranks
  a.part("stage", stage);
  const GrowingData& data = arena.data;
  if (stage.rows < 1 || stage.rows > data.targets.n() || stage.m < 1 || stage.m > arena.most_inducing)
    a.reject("stage", "is none of this data");
  if (maps.size() > data.maps.size()) a.reject("maps", "are more than there are");
  if (a.loading()) {
    contenders.clear();
    for (const Index map : maps) {
      if (map < 0 || map >= static_cast<Index>(data.maps.size())) a.reject("maps", "has an unknown map");
      contenders.emplace_back(arena, static_cast<std::size_t>(map));
    }
  }
  for (std::size_t k = 0; k < contenders.size(); ++k) a.part("contender" + std::to_string(k), contenders[k]);
  archive_ladder(a.inside("ladder"), ladder);
  a("fewer", fewer);
  a("next", next);
  if (next >= contenders.size()) a.reject("next", "is no contender");
  a("fitted", fitted);
  a("passes", arena.passes);
  a("work", arena.work);
  a("kept_bytes", arena.kept_bytes);
}

}  // namespace

Outcome train_newton(const GrowingData& data, const TrainingSetup& setup, const GrowthSettings& settings,
                     Workers& workers, Monitor& monitor, Keeper& keeper) {
  const Index n = data.targets.n(), positive = (data.targets.y.array() > 0).count();
  std::vector<Index> order(n);
  std::iota(order.begin(), order.end(), Index{0});
  Random(settings.seed).shuffle(order);
  const Index most = settings.inducing ? settings.inducing : static_cast<Index>(most_inducing_found(n));
  Arena arena{data, setup, settings.seed, order, workers, monitor, keeper, most};
  Race race{.arena = arena};
  std::vector<Contender>& contenders = race.contenders;
  for (std::size_t map = 0; map < data.maps.size(); ++map) contenders.emplace_back(arena, map);

  Outcome outcome;
  const Growth growth(n, data.rows.d(), settings.inducing, setup.layout.inputs,
                      std::min(positive, n - positive));
  race.stage = growth.first();
  const Keeper::Part part(&keeper, "race", [&](Archive& a) { race.archive(a); });
  for (Stage& stage = race.stage;; race.next = 0, race.fitted = 0) {
    for (; race.next < contenders.size(); ++race.next) {
      Contender& contender = contenders[race.next];
      if (contender.fit(stage)) {
        race.ladder.push_back(contender.step());
        ++race.fitted;
      }
      if (monitor.must_stop()) break;
    }
    if (race.fitted == 0 && !monitor.interrupted())
      outcome.failure = "the bound is not finite at the start of a stage of " + std::to_string(stage.rows) +
                        " rows and " + std::to_string(stage.m) + " inducing inputs";
    std::stable_sort(contenders.begin(), contenders.end(), is_ahead);
    const Contender& best = contenders[0];
    if (stage.last || monitor.must_stop() || !outcome.failure.empty()) break;

    const double rows = static_cast<double>(n), gain = (best.value() - race.fewer) / rows;
    if (stage.rows == n) race.fewer = best.value();
    stage = growth.next(stage, best.fitted().frame.m(), gain);
    if (!stage.last && best.estimate(stage) > monitor.seconds_left())
      stage = growth.last(best.fitted().frame.m());
    if (contenders.size() > 1 && (stage.rows == n || decided(contenders)))
      contenders.erase(contenders.begin() + 1);
  }

  Contender& best = contenders[0];
  outcome.ladder = std::move(race.ladder);
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
