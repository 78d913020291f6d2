// Every row of the pool is predicted once. Candidates are those of the largest information, alone and per cost, and rows drawn from
// the whole pool, half and half: all rows of a small pool. The batch is chosen from them (model/label_batch.hpp).
//
// Draws are the rows whose numbers have the smallest hashes: first those that are labelled whatever they tell, whose labels count
// as known from the start; then the T that stand for the pool; all of them are candidates.
#include <induce/rank.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <unordered_set>
#include <utility>

#include <induce/error.hpp>

#include "likelihood/information.hpp"
#include "linalg/blas.hpp"
#include "linalg/random.hpp"
#include "machine/workers.hpp"
#include "model/candidates.hpp"
#include "model/label_batch.hpp"
#include "model/state.hpp"
#include "rows/blocks.hpp"
#include "rows/sparse_rows.hpp"
#include "text/words.hpp"

namespace induce {

using namespace detail;

namespace {

constexpr std::size_t most_rows = 5000, most_numbers = 20'000;  // rows, and rows times functions, of a batch
constexpr std::size_t candidates_per_row = 20, least_candidates = 2000;
constexpr std::size_t stand_for_pool = 256;           // T
constexpr std::size_t memory = std::size_t{1} << 26;  // numbers, 512 MB

}  // namespace

struct PoolRanking::Pool {
  Pool(const Model& of, const RankOptions& given)
      : model(of),
        state(state_of(of)),
        options(given),
        workers(given.threads),
        informative(candidates_kept()),
        drawn(std::max(candidates_kept(), random_of(given.rows) + stand_for_pool)) {}

  std::size_t random_of(std::size_t n) const {
    return static_cast<std::size_t>(std::lround(options.random_share * static_cast<double>(n)));
  }
  // Of each kind.
  std::size_t candidates_kept() const {
    const auto functions = static_cast<std::size_t>(state.likelihood->latent_functions());
    const auto numbers =
        static_cast<std::size_t>(state.fitted.frame.size()) + (options.rows + stand_for_pool) * functions;
    const std::size_t wanted = std::max(least_candidates, candidates_per_row * options.rows);
    return std::max(options.rows, std::min(wanted, memory / numbers) / 2);
  }

  // x: of `width` numbers.
  void add(const Prediction& prediction, const double* x, std::size_t width, std::span<const double> costs) {
    if (!costs.empty() && costs.size() != prediction.rows)
      throw data_error("there are " + std::to_string(costs.size()) + " costs but " +
                       std::to_string(prediction.rows) + " rows");
    for (std::size_t i = 0; i < costs.size(); ++i)
      if (!(costs[i] > 0 && std::isfinite(costs[i])))
        throw data_error("row " + std::to_string(i) + ": the cost is " + shortest(costs[i]) +
                         ", but it must be a number greater than 0");
    const std::size_t C = prediction.classes, functions = prediction.functions();
    std::vector<double> found(prediction.rows);
    for_each_block(
        Blocks::light(static_cast<Index>(found.size())), workers, [&](Index first, Index count, int) {
          const auto begin = static_cast<std::size_t>(first);
          state.likelihood->expected_entropy(prediction.mean.data() + begin * functions,
                                             prediction.variance.data() + begin * functions, count,
                                             &found[begin]);
          for (std::size_t i = begin; i < begin + static_cast<std::size_t>(count); ++i)
            found[i] = std::max(0.0, entropy({prediction.probabilities.data() + i * C, C}) - found[i]);
        });
    for (std::size_t i = 0; i < prediction.rows; ++i, ++rows) {
      Candidate candidate{rows, 0, costs.empty() ? 1 : costs[i], {}, {}, {}, {}};
      const auto offer = [&](BestCandidates& best, double score) {
        candidate.score = score;
        if (!best.takes(candidate)) return;
        Candidate kept = candidate;
        const auto copy = [&](const std::vector<double>& from, std::size_t count) {
          const auto first = from.begin() + static_cast<std::ptrdiff_t>(i * count);
          return std::vector<double>(first, first + static_cast<std::ptrdiff_t>(count));
        };
        kept.x.assign(x + i * width, x + (i + 1) * width);
        kept.p = copy(prediction.probabilities, C);
        kept.mean = copy(prediction.mean, functions);
        kept.variance = copy(prediction.variance, functions);
        best.add(std::move(kept));
      };
      offer(informative, found[i] / candidate.cost);
      std::uint64_t hash = options.seed ^ (0x9e3779b97f4a7c15U * (rows + 1));
      offer(drawn, -static_cast<double>(splitmix64(hash) >> 11));
    }
  }

  const Model& model;
  const ModelState& state;
  RankOptions options;
  Workers workers;
  std::size_t rows = 0;
  BestCandidates informative, drawn;
};

PoolRanking::PoolRanking(const Model& model, const RankOptions& options) {
  const std::size_t functions = model.classes() == 2 || model.ordered() ? 1 : model.classes();
  const std::size_t most = std::min(most_rows, most_numbers / functions);
  if (options.rows < 1 || options.rows > most)
    throw usage_error("rows = " + std::to_string(options.rows) + ": must be at least 1 and at most " +
                      std::to_string(most) + (most < most_rows ? " with so many classes" : ""));
  if (!(options.random_share >= 0 && options.random_share <= 1))
    throw usage_error("random_share = " + shortest(options.random_share) + ": must be between 0 and 1");
  pool_ = std::make_unique<Pool>(model, options);
}

PoolRanking::~PoolRanking() = default;

void PoolRanking::add(TableView X, std::span<const double> costs) {
  if (pool_->model.sparse()) {
    SparseRows sparse;
    sparse.d = X.d;
    for (std::size_t i = 0; i < X.n; ++i) sparse.add_dense(X.row(i));
    return add(sparse.view(), costs);
  }
  pool_->add(pool_->model.predict(X, pool_->options.threads), X.x, X.d, costs);
}

void PoolRanking::add(SparseView X, std::span<const double> costs) {
  const Prediction prediction = pool_->model.predict(X, pool_->options.threads);
  if (pool_->model.sparse()) {
    const RowMatrix Z = pool_->state.projection->apply(X, pool_->workers);
    return pool_->add(prediction, Z.data(), static_cast<std::size_t>(Z.cols()), costs);
  }
  std::vector<double> dense(X.n * X.d);
  write_dense(X, 0, X.n, dense.data());
  pool_->add(prediction, dense.data(), X.d, costs);
}

std::vector<std::size_t> PoolRanking::candidates() const {
  std::vector<std::size_t> rows;
  for (const BestCandidates* best : {&pool_->informative, &pool_->drawn})
    for (const Candidate& candidate : best->kept()) rows.push_back(candidate.row);
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

std::vector<RankedRow> PoolRanking::choose() const {
  const ModelState& state = pool_->state;
  const std::vector<Candidate> drawn = pool_->drawn.sorted();
  const std::size_t n = std::min(pool_->options.rows, pool_->rows), random_rows = pool_->random_of(n);
  std::vector<Candidate> all = drawn;
  std::unordered_set<std::size_t> taken;
  for (const Candidate& candidate : drawn) taken.insert(candidate.row);
  for (Candidate& candidate : pool_->informative.sorted())
    if (!taken.contains(candidate.row)) all.push_back(std::move(candidate));
  const std::size_t T = std::min(stand_for_pool, drawn.size() - random_rows);
  for (std::size_t t = random_rows; t < random_rows + T; ++t) all.push_back(drawn[t]);

  const bool gaps = !pool_->model.sparse() && !state.typical.empty();
  std::vector<double> x;
  std::vector<Index> first_point{0};
  for (const Candidate& candidate : all) {
    const std::size_t before = x.size(), width = candidate.x.size();
    if (gaps && state.typical.has_new_gaps(candidate.x.data())) {
      x.resize(before + width * static_cast<std::size_t>(state.typical.draws()));
      state.typical.complete(candidate.x.data(), x.data() + before);
    } else {
      x.insert(x.end(), candidate.x.begin(), candidate.x.end());
    }
    first_point.push_back(static_cast<Index>(x.size() / width));
  }
  RowMatrix points(first_point.back(), state.fitted.frame.d());
  if (points.rows() > 0) state.map.apply(x.data(), points.rows(), points.data());

  const blas::SingleThreadedBlas single;  // bits do not depend on the number of cores
  LabelBatch batch(state, std::move(all), static_cast<Index>(T), points, std::move(first_point),
                   static_cast<Index>(n));
  std::vector<RankedRow> random, informative, out;
  while (random.size() < random_rows) random.push_back(batch.choose(static_cast<Index>(random.size()), true));
  while (random.size() + informative.size() < n) informative.push_back(batch.choose(batch.best(), false));
  for (std::size_t k = 0; k < n; ++k) {  // random rows at equal distances
    std::vector<RankedRow>& from = (k + 1) * random_rows / n > k * random_rows / n ? random : informative;
    const std::size_t before = &from == &random ? k * random_rows / n : k - k * random_rows / n;
    out.push_back(std::move(from[before]));
  }
  return out;
}

std::vector<RankedRow> rank_rows(const Model& model, TableView X, const RankOptions& options,
                                 std::span<const double> costs) {
  PoolRanking ranking(model, options);
  ranking.add(X, costs);
  return ranking.choose();
}

std::vector<RankedRow> rank_rows(const Model& model, SparseView X, const RankOptions& options,
                                 std::span<const double> costs) {
  PoolRanking ranking(model, options);
  ranking.add(X, costs);
  return ranking.choose();
}

}  // namespace induce
