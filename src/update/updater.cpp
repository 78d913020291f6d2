// Updater: rows are collected into parts, and each part enters the model by sums (learn_rows.hpp).
//
// A part is put into the order of the hashes of its rows, equal ones merged, as in a fit. What the model knew is discounted by
// 2^(-rows of the part / half-life) before. Rows whose gaps the model has not learned to judge are learned as R rows of weight 1/R,
// with the gaps filled as for a prediction (table/typical_values.hpp). All surprise is that of the model before the update.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include <induce/error.hpp>
#include <induce/update.hpp>

#include "core/onto.hpp"
#include "linalg/blas.hpp"
#include "model/class_weights.hpp"
#include "model/state.hpp"
#include "rows/sparse_rows.hpp"
#include "store/memory_store.hpp"
#include "store/row_order.hpp"
#include "text/words.hpp"
#include "train/grow_inputs.hpp"
#include "update/grow_frame.hpp"
#include "update/learn_rows.hpp"
#include "update/surprise.hpp"

namespace induce {

using namespace detail;

namespace {

constexpr std::size_t rows_of_part = std::size_t{1} << 16, cells_of_part = std::size_t{1} << 24;
constexpr Index rows_to_grow_from = 4096;  // of those that are novel
constexpr Index fewest_new_inputs = 10;    // that one update may add; otherwise a tenth of those there

// What an update would need and the model does not have; empty if nothing is missing.
std::string missing_for_updates(const ModelState& state) {
  if (state.learned.known()) return "";
  return "the model cannot be updated: an earlier version of the library (" + state.version +
         ") wrote it, and it does not say what it was fitted to; fit it again";
}

void check_options(const UpdateOptions& options) {
  if (!(options.forget >= 0 && std::isfinite(options.forget)))
    throw usage_error("forget is " + shortest(options.forget) +
                      ": must be a number of rows greater than 0, or 0 to forget nothing");
}

}  // namespace

struct Updater::State {
  State(const Model& model, const UpdateOptions& given)
      : options(given),
        state(state_of(model)),
        workers(given.threads),
        columns(static_cast<std::size_t>(state.map.columns())),
        part_rows(
            std::clamp(cells_of_part / std::max<std::size_t>(1, columns), std::size_t{1024}, rows_of_part)),
        names(state.projection ? Names{.classes = state.names.classes} : state.names),
        surprise(columns, names, state.learned.moments) {
    check_options(options);
    if (const std::string missing = missing_for_updates(state); !missing.empty()) throw data_error(missing);
    state.fitted = without_class_weights(std::move(state.fitted), state.learned.class_weights);
    before = state.fitted;
    order = columns_by_name(columns, names.features);
  }

  void check_row(std::size_t i, int label, double weight) const {
    const std::string row = " in row " + std::to_string(i);
    const std::size_t classes = state.names.classes.size();
    if (label < 0 || static_cast<std::size_t>(label) >= classes)
      throw data_error("label " + std::to_string(label) + row + ": must be from 0 to " +
                       std::to_string(classes - 1) + ", the index of a class of the model");
    if (!(weight >= 0 && std::isfinite(weight)))
      throw data_error("the weight" + row + " is " + shortest(weight) + ": must be a number of 0 or more");
  }

  void add(const double* x, int label, double weight) {
    X.insert(X.end(), x, x + columns);
    y.push_back(label);
    weights.push_back(weight);
    if (y.size() >= part_rows) learn_part();
  }

  template <class RowOf>
  void add_all(std::size_t n, std::span<const int> labels, std::span<const double> given,
               const RowOf& row_of) {
    if (labels.size() != n)
      throw data_error("there are " + std::to_string(n) + " rows but " + std::to_string(labels.size()) +
                       " labels");
    if (!given.empty() && given.size() != n)
      throw data_error("there are " + std::to_string(n) + " rows but " + std::to_string(given.size()) +
                       " weights");
    for (std::size_t i = 0; i < n; ++i) check_row(i, labels[i], given.empty() ? 1 : given[i]);
    for (std::size_t i = 0; i < n; ++i) {
      const double weight = given.empty() ? 1 : given[i];
      const double* x = row_of(i);
      if (weight == 0) continue;
      ++report.n;
      add_filled(x, labels[i], weight);
    }
  }

  // Counts what is new about a row, and fills gaps that the model has not learned to judge.
  void add_filled(const double* x, int label, double weight) {
    bool unknown = false;
    for (std::size_t c = 0; c < names.columns.size(); ++c)
      unknown = unknown || (names.columns[c].has_levels() &&
                            x[c] >= static_cast<double>(names.columns[c].levels.size()));
    report.unknown_levels += unknown ? 1 : 0;
    surprise.add_columns(x, weight);
    if (!state.typical.has_new_gaps(x)) return add(x, label, weight);
    ++report.new_gaps;
    const auto draws = static_cast<std::size_t>(state.typical.draws());
    std::vector<double> filled(draws * columns);
    state.typical.complete(x, filled.data());
    for (std::size_t k = 0; k < draws; ++k)
      add(filled.data() + k * columns, label, weight / static_cast<double>(draws));
  }

  void learn_part() {
    if (y.empty()) return;
    const auto begun = std::chrono::steady_clock::now();
    const blas::SingleThreadedBlas single;  // results do not depend on the number of cores
    const blas::Buffers buffers(workers.size());
    const MemoryStore rows({X.data(), y.size(), columns}, y, weights, order, workers);
    std::vector<Index> all(static_cast<std::size_t>(rows.n()));
    std::iota(all.begin(), all.end(), Index{0});
    const RowMatrix features = state.map.apply(rows.table(), rows.table_rows(all), workers);
    if (!features.allFinite())
      throw data_error("a row cannot be learned: its values give features that are not finite");
    const Likelihood& likelihood = *state.likelihood;
    const bool two = likelihood.classes() == 2;
    Targets targets(Vector(rows.n()), rows.weight());
    for (Index i = 0; i < rows.n(); ++i) targets.y[i] = !two ? rows.label(i) : rows.label(i) == 1 ? 1 : -1;
    const Vector p = probabilities_of(before, likelihood, features, workers);
    if (!p.allFinite()) throw data_error("a row cannot be learned: its prediction is not finite");
    const Vector novelty = novelty_of_rows(before.frame, features, workers);
    surprise.add_rows(p, novelty, targets);

    const double part = targets.weight.sum();
    if (options.forget > 0) {
      const double kept = std::exp2(-part / options.forget);
      for (Posterior& q : state.fitted.q) q = forget(state.fitted.frame, q, kept);
      report.kept *= kept;
    }
    if (options.grow) grow(features, targets, p, novelty);
    LearnedRows learned = learn_rows(state.fitted, likelihood, features, targets, workers);
    state.fitted.q = std::move(learned.q);
    report.rounds = std::max(report.rounds, learned.rounds);
    fitted_log += learned.fitted_log;
    X.clear();
    y.clear();
    weights.clear();
    report.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  }

  // Inputs among novel rows, where what they would explain matters most.
  void grow(const RowMatrix& features, const Targets& targets, const Vector& p, const Vector& novelty) {
    const Frame& frame = state.fitted.frame;
    const Index limit =
        std::max(fewest_new_inputs, before.frame.m() / 10) - static_cast<Index>(report.inputs_added);
    std::vector<Index> novel;
    for (Index i = 0; i < novelty.size() && static_cast<Index>(novel.size()) < rows_to_grow_from; ++i)
      if (novelty[i] > novel_from) novel.push_back(i);
    if (novel.empty() || limit <= 0 || frame.m() == 0) return;
    const Index functions = frame.functions(), width = state.likelihood->probabilities();
    Vector w(static_cast<Index>(novel.size()));  // of g: all latent functions have one residual kernel
    for (Index k = 0; k < w.size(); ++k) {
      const Index i = novel[static_cast<std::size_t>(k)];
      double curvature = 0;  // of ordered classes in its place the spread of the label
      for (Index c = 0; c < width; ++c) {
        const double own = p[i * width + c], scale = frame.scale(std::min(c, functions - 1));
        curvature += scale * scale * own * (1 - own);
      }
      w[k] = targets.weight[i] * curvature;
    }
    const Matrix Z = grow_inputs(frame, features(novel, Eigen::all), w, limit, 0);
    report.inputs_added +=
        static_cast<std::size_t>(grow_frame(state.fitted, Z.bottomRows(Z.rows() - frame.m())));
  }

  UpdateOptions options;
  ModelState state;  // means without class weights
  Workers workers;
  std::size_t columns, part_rows;
  Names names;  // of what is learned: of sparse rows, the features of the projection have none
  Fitted before;
  std::vector<Index> order;
  Surprise surprise;
  UpdateReport report;
  double fitted_log = 0;
  std::vector<double> X, weights;  // of the part so far
  std::vector<int> y;
};

Updater::Updater(const Model& model, const UpdateOptions& options)
    : state_(std::make_unique<State>(model, options)) {}
Updater::~Updater() = default;
Updater::Updater(Updater&&) noexcept = default;
Updater& Updater::operator=(Updater&&) noexcept = default;

void Updater::learn(TableView table, std::span<const int> labels, std::span<const double> weights) {
  State& to = *state_;
  if (to.state.projection) {
    SparseRows rows;
    rows.d = table.d;
    for (std::size_t i = 0; i < table.n; ++i) rows.add_dense(table.row(i));
    return learn(rows.view(), labels, weights);
  }
  if (table.d != to.columns)
    throw data_error("the data has " + std::to_string(table.d) + " features but the model has " +
                     std::to_string(to.columns));
  const std::vector<Column>& columns = to.names.columns;
  for (std::size_t i = 0; i < table.n; ++i)
    for (std::size_t c = 0; c < table.d; ++c) {
      const double x = table.row(i)[c];
      const bool level = !columns.empty() && columns[c].has_levels();
      if (std::isinf(x) || (level && !std::isnan(x) && !(x >= 0 && x == std::floor(x))))
        throw data_error("row " + std::to_string(i) + ", column " + std::to_string(c) + ": " + shortest(x) +
                         (level ? " is not a level: must be a whole number of 0 or more" : " is not finite"));
    }
  to.add_all(table.n, labels, weights, [&](std::size_t i) { return table.row(i); });
}

void Updater::learn(SparseView table, std::span<const int> labels, std::span<const double> weights) {
  State& to = *state_;
  const std::size_t width = to.state.projection ? to.state.projection->width : to.columns;
  if (table.d != width)
    throw data_error("the data has " + std::to_string(table.d) + " features but the model has " +
                     std::to_string(width));
  check_entries(table);
  for (std::size_t i = 0; i < table.n; ++i)
    if (to.state.projection) check_sparse_values(table, i);
  std::vector<double> row(to.columns);
  to.add_all(table.n, labels, weights, [&](std::size_t i) {
    if (to.state.projection)
      to.state.projection->apply(table, i, row.data());
    else
      write_dense(table, i, 1, row.data());
    return row.data();
  });
}

Update Updater::finish() {
  State& at = *state_;
  at.learn_part();
  if (at.report.n == 0)
    throw data_error("there are no rows to learn: all have the weight 0, or the table is empty");
  Learned& learned = at.state.learned;
  UpdateReport report = at.report;
  double past = 0;
  for (const PastUpdate& each : learned.updates) past += each.rows;
  at.surprise.report(past, learned.rows, at.before.frame.m() > 0 && !at.options.grow, report);
  report.fitted_nll = -at.fitted_log / report.rows;
  auto state = std::make_shared<ModelState>(at.state);
  state->learned.updates.push_back({report.rows, report.nll, report.expected_nll, report.z, report.kept,
                                    static_cast<double>(report.inputs_added)});
  state->fitted = with_class_weights(std::move(state->fitted), learned.class_weights);
  state->explanation.reset();  // it was that of the model before
  state->theta = theta_of(state->fitted.frame);
  return {model_with(std::move(state)), std::move(report)};
}

namespace {

template <class View>
Update update_by(const Model& model, View table, std::span<const int> labels, const UpdateOptions& options,
                 std::span<const double> weights) {
  Updater updater(model, options);
  updater.learn(table, labels, weights);
  return updater.finish();
}

}  // namespace

Update update(const Model& model, TableView table, std::span<const int> labels, const UpdateOptions& options,
              std::span<const double> weights) {
  return update_by(model, table, labels, options, weights);
}

Update update(const Model& model, SparseView table, std::span<const int> labels, const UpdateOptions& options,
              std::span<const double> weights) {
  return update_by(model, table, labels, options, weights);
}

std::vector<PastUpdate> past_updates(const Model& model) { return state_of(model).learned.updates; }
double rows_of_fit(const Model& model) { return state_of(model).learned.rows; }

}  // namespace induce
