#include "page/tested.hpp"

#include <algorithm>
#include <cmath>

#include <induce/error.hpp>

#include "model/base_rate.hpp"

namespace induce::detail {
namespace {

constexpr double smallest_probability = 1e-15;  // as in Metrics::nll

void check_rows(const Model& model, const PageRows& rows, std::size_t n) {
  if (rows.y.size() != n)
    throw data_error("there are " + std::to_string(rows.y.size()) + " labels for " + std::to_string(n) +
                     " rows");
  for (std::size_t i = 0; i < n; ++i)
    if (rows.y[i] < 0 || static_cast<std::size_t>(rows.y[i]) >= model.classes())
      throw data_error("label " + std::to_string(i) + " is " + std::to_string(rows.y[i]) +
                       ": must be from 0 to " + std::to_string(model.classes() - 1));
}

// The squared error of a row, over all classes; of two, of the second.
double squared_error(const Tested& tested, std::size_t i) {
  double sum = 0;
  for (std::size_t c = tested.classes == 2 ? 1 : 0; c < tested.classes; ++c) {
    const double error = tested.prediction.probability(i, c) - (tested.y[i] == static_cast<int>(c) ? 1 : 0);
    sum += error * error;
  }
  return sum;
}

}  // namespace

Tested test_rows(const Model& model, const PageRows& rows, std::span<const double> training, int threads) {
  const std::size_t n = rows.sparse ? rows.sparse->n : rows.X.n, C = model.classes();
  check_rows(model, rows, n);
  Tested out;
  out.classes = C;
  out.y = rows.y;
  out.prediction = rows.sparse ? model.predict(*rows.sparse, threads) : model.predict(rows.X, threads);
  const std::vector<double>& p = out.prediction.probabilities;
  out.counts.assign(C, 0);
  for (const int label : out.y) ++out.counts[static_cast<std::size_t>(label)];
  out.predicted = most_probable(p, C);
  double right = 0;
  std::vector<double> loss(n), squares(n);
  for (std::size_t i = 0; i < n; ++i) {
    out.top.push_back(out.prediction.probability(i, static_cast<std::size_t>(out.predicted[i])));
    out.true_probability.push_back(out.prediction.probability(i, static_cast<std::size_t>(out.y[i])));
    right += out.predicted[i] == out.y[i];
    loss[i] = -std::log(std::clamp(out.true_probability[i], smallest_probability, 1 - smallest_probability));
    squares[i] = squared_error(out, i);
  }
  out.accuracy = share_of(right, static_cast<double>(n));
  out.nll = mean_of(loss);
  out.brier = mean_of(squares);
  out.auc = C == 2 ? auc_of(out.prediction.probabilities_of(1), out.y) : mean_auc_of(p, out.y, C);
  if (model.ordered()) {
    std::vector<double> scores(n), errors(n);
    for (std::size_t i = 0; i < n; ++i) {
      double below = 0;  // p(y <= c)
      for (std::size_t c = 0; c + 1 < C; ++c) {
        below += p[i * C + c];
        const double error = below - (out.y[i] <= static_cast<int>(c) ? 1 : 0);
        scores[i] += error * error / static_cast<double>(C - 1);
      }
      errors[i] = std::abs(out.predicted[i] - out.y[i]);
    }
    out.rps = mean_of(scores);
    out.level_error = mean_of(errors);
  }
  out.ece = evaluate(p, out.y, C).ece;
  const std::vector<double> counts(out.counts.begin(), out.counts.end());
  out.base_of_training = !training.empty();
  if (training.empty()) training = counts;
  const auto most = std::max_element(training.begin(), training.end()) - training.begin();
  out.base_accuracy = counts[static_cast<std::size_t>(most)] / static_cast<double>(n);
  out.base_nll = base_rate_nll(training, counts);
  return out;
}

}  // namespace induce::detail
