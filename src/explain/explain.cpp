#include <induce/explain.hpp>

#include <algorithm>
#include <cmath>
#include <string>

#include <induce/error.hpp>

#include "explain/effects.hpp"
#include "model/state.hpp"

namespace induce {

using namespace detail;

namespace {

void check_rows(const Model& model, TableView rows, std::span<const double> weights) {
  if (rows.d != model.features())
    throw data_error("the data has " + std::to_string(rows.d) + " features but the model has " +
                     std::to_string(model.features()));
  if (!weights.empty() && weights.size() != rows.n)
    throw data_error("there are " + std::to_string(weights.size()) + " weights for " +
                     std::to_string(rows.n) + " rows");
  for (std::size_t i = 0; i < rows.n; ++i)
    if (std::any_of(rows.row(i), rows.row(i) + rows.d, [](double x) { return std::isinf(x); }))
      throw data_error("row " + std::to_string(i) + " has a value that is not finite");
  double total = 0;
  for (std::size_t i = 0; i < rows.n; ++i) {
    const double weight = weights.empty() ? 1 : weights[i];
    if (!(weight >= 0))
      throw data_error("the weight of row " + std::to_string(i) + " is negative or not a number");
    total += weight;
  }
  if (!(total > 0 && std::isfinite(total))) throw data_error("an explanation needs at least one row");
}

}  // namespace

Explanation explain(const Model& model, TableView rows, std::span<const double> weights, int threads) {
  if (model.sparse())
    throw data_error(
        "the model was fitted to a sparse table: it sees a few directions of its rows, not columns, so there "
        "are no "
        "effects or importance of columns");
  check_rows(model, rows, weights);
  const ModelState& state = state_of(model);
  Workers workers(threads);
  const std::vector<int> no_labels(rows.n, 0);
  const MemoryStore merged(rows, no_labels, weights, state.map.encoding.order(), workers);
  std::optional<Explanation> explanation = explain_fitted(state.fitted, state.map, merged, workers);
  if (!explanation)
    throw data_error(
        "the model cannot be explained: values in the rows or the model give a result that is not finite");
  return *std::move(explanation);
}

}  // namespace induce
