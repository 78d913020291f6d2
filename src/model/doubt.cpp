// See likelihood/likelihood.hpp for the expectations. novelty = (k_ii - v_i'v_i) / k_ii, both without the noise term: what is left
// of the prior variance if u is known exactly (certain_posterior).
#include <induce/doubt.hpp>

#include <algorithm>
#include <numeric>
#include <string>

#include <induce/error.hpp>

#include "core/pass.hpp"
#include "likelihood/information.hpp"
#include "linalg/blas.hpp"
#include "model/state.hpp"
#include "rows/sparse_rows.hpp"
#include "text/words.hpp"

namespace induce {

using namespace detail;

namespace {

// The model as novelty needs it, made once for all rows.
struct Known {
  explicit Known(const ModelState& of) : state(of), frame(of.fitted.frame.of_one_function()) {
    signal = frame.placed->signal_variance();
    const blas::SingleThreadedBlas single;  // bits do not depend on the number of cores
    if (frame.m() > 0 && signal > 0) q = certain_posterior(frame);
  }
  const ModelState& state;
  Frame frame;
  Posterior q;
  double signal = 0;
};

// Of rows without new gaps.
std::vector<double> novelty_of(const Known& known, TableView X, int threads) {
  std::vector<double> out(X.n, 0);
  const Frame& frame = known.frame;
  const double signal = known.signal, noise = frame.placed->diagonal() - signal;
  if (X.n == 0 || frame.m() == 0 || !(signal > 0)) return out;
  Workers workers(X.n <= 256 ? 1 : threads);
  constexpr std::size_t chunk = 1 << 16;
  Vector mean, residual;
  for (std::size_t first = 0; first < X.n; first += chunk) {
    const auto rows = static_cast<Index>(std::min(chunk, X.n - first));
    RowMatrix mapped(rows, frame.d());
    for_each_block(Blocks::light(rows), workers, [&](Index begin, Index count, int /*worker*/) {
      known.state.map.apply(X.row(first + static_cast<std::size_t>(begin)), count, mapped.row(begin).data());
    });
    const DenseRows source(mapped, Blocks::rows_in_cache(frame.m()));
    Pass(source, frame.m(), workers).marginals(frame, known.q, mean, residual);
    for (Index i = 0; i < rows; ++i)
      out[first + static_cast<std::size_t>(i)] = std::clamp((residual[i] - noise) / signal, 0.0, 1.0);
  }
  return out;
}

}  // namespace

Doubt doubt(const Model& model, const Prediction& prediction) {
  const Likelihood& likelihood = *state_of(model).likelihood;
  const std::size_t C = prediction.classes, functions = prediction.functions();
  Doubt out{prediction.rows, C, {}, {}, {}, {}};
  out.low.resize(out.rows * C);
  out.high.resize(out.rows * C);
  out.noise.resize(out.rows);
  const auto rows = static_cast<Index>(out.rows);
  likelihood.expected_entropy(prediction.mean.data(), prediction.variance.data(), rows, out.noise.data());
  for (std::size_t i = 0; i < out.rows; ++i) {
    const std::span<const double> p(prediction.probabilities.data() + i * C, C);
    double *low = out.low.data() + i * C, *high = out.high.data() + i * C;
    likelihood.probability_range(prediction.mean.data() + i * functions,
                                 prediction.variance.data() + i * functions, p.data(), low, high);
    const double all = entropy(p);
    out.noise[i] = std::clamp(out.noise[i], 0.0, all);
    out.knowledge.push_back(all - out.noise[i]);
  }
  return out;
}

std::vector<double> novelty(const Model& model, TableView X, int threads) {
  const ModelState& state = state_of(model);
  if (X.d != model.features())
    throw data_error("the data has " + std::to_string(X.d) + " features but the model has " +
                     std::to_string(model.features()));
  if (model.sparse()) {
    SparseRows rows;
    rows.d = X.d;
    for (std::size_t i = 0; i < X.n; ++i) rows.add_dense(X.row(i));
    return novelty(model, rows.view(), threads);
  }
  const Known known(state);
  if (model.rows_with_new_gaps(X) == 0) return novelty_of(known, X, threads);
  std::vector<double> complete, out;
  for (std::size_t i = 0; i < X.n; ++i)
    if (!state.typical.has_new_gaps(X.row(i))) complete.insert(complete.end(), X.row(i), X.row(i) + X.d);
  const std::vector<double> of_complete =
      novelty_of(known, {complete.data(), complete.size() / X.d, X.d}, threads);
  auto next = of_complete.begin();
  // The average over what new gaps may be, as predictions do.
  const auto draws = static_cast<std::size_t>(state.typical.draws());
  std::vector<double> filled(draws * X.d);
  for (std::size_t i = 0; i < X.n; ++i) {
    if (!state.typical.has_new_gaps(X.row(i))) {
      out.push_back(*next++);
      continue;
    }
    state.typical.complete(X.row(i), filled.data());
    const std::vector<double> each = novelty_of(known, {filled.data(), draws, X.d}, threads);
    out.push_back(std::accumulate(each.begin(), each.end(), 0.0) / static_cast<double>(draws));
  }
  return out;
}

std::vector<double> novelty(const Model& model, SparseView X, int threads) {
  if (!model.sparse()) {
    std::vector<double> dense(X.n * X.d);
    write_dense(X, 0, X.n, dense.data());
    return novelty(model, TableView{dense.data(), X.n, X.d}, threads);
  }
  Workers workers(X.n <= 256 ? 1 : threads);
  const RowMatrix Z = state_of(model).projection->apply(X, workers);
  return novelty_of(Known(state_of(model)), {Z.data(), X.n, static_cast<std::size_t>(Z.cols())}, threads);
}

std::vector<char> class_sets(std::span<const double> probability, std::size_t classes, double alpha,
                             std::span<const double> thresholds) {
  if (!(alpha > 0 && alpha < 1))
    throw usage_error("alpha = " + shortest(alpha) + ": must be greater than 0 and less than 1");
  constexpr double rounding = 1e-12, steps = 200;  // .7 and .2 are .9; of alpha between thresholds
  const auto inside = [&](double before) {
    if (thresholds.empty()) return before < 1 - alpha - rounding;
    const auto step = static_cast<std::size_t>(alpha * steps + 1e-9);  // the next smaller alpha
    return before <= thresholds[std::min(step, thresholds.size() - 1)];
  };
  std::vector<char> sets(probability.size(), 0);
  std::vector<std::size_t> order(classes);
  for (std::size_t first = 0; first + classes <= probability.size(); first += classes) {
    std::iota(order.begin(), order.end(), first);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return probability[a] > probability[b]; });
    double sum = 0;
    for (std::size_t k = 0; k < classes && inside(sum); ++k) {
      sets[order[k]] = 1;
      sum += probability[order[k]];
    }
  }
  return sets;
}

}  // namespace induce
