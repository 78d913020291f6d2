// Model::predict. A row whose gaps are unlike those of the training data (table/typical_values.hpp) is predicted R times with
// its gaps filled, x^1, ..., x^R, and gets the mixture:
//   p = (1/R) sum_k p(x^k),     mean = (1/R) sum_k m(x^k),     variance = (1/R) sum_k S2(x^k) + Var_k m(x^k).
#include <algorithm>
#include <cmath>
#include <string>

#include <induce/error.hpp>
#include <induce/model.hpp>

#include "core/pass.hpp"
#include "model/state.hpp"
#include "rows/sparse_rows.hpp"

namespace induce {

using namespace detail;

namespace {

Error not_finite(std::size_t row) {
  return data_error("row " + std::to_string(row) +
                    " cannot be predicted: values in the row or the model give a result that is not finite");
}

Prediction prediction_of(std::size_t rows, const Likelihood& likelihood) {
  const auto functions = static_cast<std::size_t>(likelihood.latent_functions());
  Prediction out{rows, static_cast<std::size_t>(likelihood.classes()), {}, {}, {}};
  out.probabilities.resize(rows * out.classes);
  out.mean.resize(rows * functions);
  out.variance.resize(rows * functions);
  return out;
}

// `at`: row * Likelihood::probabilities() + number of the probability.
void set_probability(Prediction& out, std::size_t at, double p) {
  if (out.classes > 2) {
    out.probabilities[at] = p;
    return;
  }
  out.probabilities[2 * at] = 1 - p;
  out.probabilities[2 * at + 1] = p;
}

// `number_of` gives the number of a row in messages.
template <class NumberOf>
Prediction predict_rows(const ModelState& state, TableView X, int threads, const NumberOf& number_of) {
  const Frame& frame = state.fitted.frame;
  // One chunk at a time in the model's units: memory is constant in the number of rows.
  constexpr std::size_t chunk = 1 << 16;
  const Likelihood& likelihood = *state.likelihood;
  const Index functions = likelihood.latent_functions(), width = likelihood.probabilities();
  Prediction out = prediction_of(X.n, likelihood);
  if (X.n == 0) return out;
  Workers workers(X.n <= 256 ? 1 : threads);
  RowMatrix rows;
  Vector m, S2, p;
  for (std::size_t first = 0; first < X.n; first += chunk) {
    const Blocks blocks = Blocks::light(static_cast<Index>(std::min(chunk, X.n - first)));
    rows.resize(blocks.n, frame.d());
    for_each_block(blocks, workers, [&](Index begin, Index count, int /*worker*/) {
      state.map.apply(X.row(first + begin), count, rows.row(begin).data());
    });
    // One block per leaf: the bits of a row do not depend on how many rows follow.
    const DenseRows source(rows, Blocks::rows_in_cache(frame.m()));
    Pass(source, frame.m(), workers).marginals(frame, state.fitted.q, m, S2);
    p.resize(blocks.n * width);
    for_each_block(blocks, workers, [&](Index begin, Index count, int /*worker*/) {
      const std::size_t at = first + static_cast<std::size_t>(begin);  // its first row
      const auto finite = [&](Index i) {                               // see model/usable.hpp
        return m.segment(i * functions, functions).allFinite() &&
               S2.segment(i * functions, functions).allFinite();
      };
      for (Index i = begin; i < begin + count; ++i)
        if (!finite(i)) throw not_finite(number_of(first + static_cast<std::size_t>(i)));
      likelihood.probabilities(m.data() + begin * functions, S2.data() + begin * functions, count,
                               p.data() + begin * width);
      for (Index k = 0; k < count * width; ++k) {
        const double of_class = p[begin * width + k];
        if (!(of_class >= 0 && of_class <= 1))
          throw not_finite(number_of(at + static_cast<std::size_t>(k / width)));
        set_probability(out, at * static_cast<std::size_t>(width) + static_cast<std::size_t>(k), of_class);
      }
      const auto to = static_cast<std::ptrdiff_t>(at * static_cast<std::size_t>(functions));
      std::copy_n(m.data() + begin * functions, count * functions, out.mean.begin() + to);
      std::copy_n(S2.data() + begin * functions, count * functions, out.variance.begin() + to);
    });
  }
  return out;
}

// Predictions for the rows with these numbers, averaged over what their missing values may be.
Prediction predict_averages(const ModelState& state, TableView X, const std::vector<std::size_t>& numbers,
                            int threads) {
  const TypicalValues& typical = state.typical;
  const std::size_t draws = static_cast<std::size_t>(typical.draws());
  std::vector<double> completed(numbers.size() * draws * X.d);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    typical.complete(X.row(numbers[i]), completed.data() + i * draws * X.d);
  const Prediction each = predict_rows(state, {completed.data(), numbers.size() * draws, X.d}, threads,
                                       [&](std::size_t k) { return numbers[k / draws]; });
  const Likelihood& likelihood = *state.likelihood;
  const auto functions = static_cast<std::size_t>(likelihood.latent_functions()),
             width = static_cast<std::size_t>(likelihood.probabilities());
  const auto R = static_cast<double>(draws);
  Prediction out = prediction_of(numbers.size(), likelihood);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    for (std::size_t c = 0; c < width; ++c) {
      double p = 0;
      for (std::size_t k = 0; k < draws; ++k) {
        const std::size_t at = (i * draws + k) * width + c;
        p += each.probabilities[width == 1 ? 2 * at + 1 : at];
      }
      set_probability(out, i * width + c, p / R);
    }
    for (std::size_t c = 0; c < functions; ++c) {
      double mean = 0, square = 0, variance = 0;
      for (std::size_t k = 0; k < draws; ++k) {
        const std::size_t at = (i * draws + k) * functions + c;
        mean += each.mean[at];
        square += each.mean[at] * each.mean[at];
        variance += each.variance[at];
      }
      const std::size_t to = i * functions + c;
      out.mean[to] = mean / R;
      out.variance[to] = variance / R + std::max(0.0, square / R - mean / R * (mean / R));
    }
  }
  return out;
}

}  // namespace

std::size_t Model::rows_with_new_gaps(TableView X) const {
  std::size_t rows = 0;
  if (sparse()) return rows;
  for (std::size_t i = 0; i < X.n; ++i) rows += state_->typical.has_new_gaps(X.row(i)) ? 1 : 0;
  return rows;
}

namespace {

void check_width(std::size_t d, const Model& model) {
  if (d != model.features())
    throw data_error("the data has " + std::to_string(d) + " features but the model has " +
                     std::to_string(model.features()));
}

}  // namespace

std::vector<RowsOutside> Model::rows_far_outside(TableView X) const {
  check_width(X.d, *this);
  std::vector<RowsOutside> rows(X.d);
  const ColumnRanges& ranges = state_->ranges;
  const std::vector<Column>& columns = state_->names.columns;
  for (std::size_t column = 0; column < ranges.lowest.size(); ++column) {
    if (!columns.empty() && columns[column].has_levels()) continue;
    for (std::size_t i = 0; i < X.n; ++i) {
      rows[column].below += ranges.far_below(column, X.row(i)[column]) ? 1 : 0;
      rows[column].above += ranges.far_above(column, X.row(i)[column]) ? 1 : 0;
    }
  }
  return rows;
}

Prediction Model::predict(SparseView X, int threads) const {
  check_width(X.d, *this);
  check_entries(X);
  if (sparse()) {
    for (std::size_t i = 0; i < X.n; ++i) check_sparse_values(X, i);
    Workers workers(X.n <= 256 ? 1 : threads);
    const RowMatrix Z = state_->projection->apply(X, workers);
    for (Index i = 0; i < Z.rows(); ++i)
      if (!Z.row(i).allFinite()) throw not_finite(static_cast<std::size_t>(i));
    return predict_rows(*state_, {Z.data(), X.n, static_cast<std::size_t>(Z.cols())}, threads,
                        [](std::size_t i) { return i; });
  }
  std::vector<double> dense(X.n * X.d);
  write_dense(X, 0, X.n, dense.data());
  return predict(TableView{dense.data(), X.n, X.d}, threads);
}

Prediction Model::predict(TableView X, int threads) const {
  check_width(X.d, *this);
  if (sparse()) {
    SparseRows rows;
    rows.d = X.d;
    for (std::size_t i = 0; i < X.n; ++i) rows.add_dense(X.row(i));
    return predict(rows.view(), threads);
  }
  const auto same = [](std::size_t i) { return i; };
  std::vector<std::size_t> usual, with_new_gaps;
  for (std::size_t i = 0; i < X.n; ++i)
    if (state_->typical.has_new_gaps(X.row(i))) with_new_gaps.push_back(i);
  if (with_new_gaps.empty()) return predict_rows(*state_, X, threads, same);

  std::vector<double> others;
  for (std::size_t i = 0, next = 0; i < X.n; ++i) {
    if (next < with_new_gaps.size() && with_new_gaps[next] == i) {
      ++next;
      continue;
    }
    usual.push_back(i);
    others.insert(others.end(), X.row(i), X.row(i) + X.d);
  }
  const auto functions = static_cast<std::size_t>(state_->likelihood->latent_functions());
  Prediction out = prediction_of(X.n, *state_->likelihood);
  const auto put = [&](const Prediction& part, const std::vector<std::size_t>& numbers) {
    for (const auto member : {&Prediction::probabilities, &Prediction::mean, &Prediction::variance}) {
      const std::size_t width = member == &Prediction::probabilities ? out.classes : functions;
      for (std::size_t i = 0; i < numbers.size(); ++i)
        std::copy_n((part.*member).begin() + static_cast<std::ptrdiff_t>(i * width), width,
                    (out.*member).begin() + static_cast<std::ptrdiff_t>(numbers[i] * width));
    }
  };
  put(predict_rows(*state_, {others.data(), usual.size(), X.d}, threads,
                   [&](std::size_t i) { return usual[i]; }),
      usual);
  constexpr std::size_t together = 2048;  // rows: each is predicted many times
  for (std::size_t first = 0; first < with_new_gaps.size(); first += together) {
    const std::size_t end = std::min(first + together, with_new_gaps.size());
    const std::vector<std::size_t> numbers(with_new_gaps.begin() + static_cast<std::ptrdiff_t>(first),
                                           with_new_gaps.begin() + static_cast<std::ptrdiff_t>(end));
    put(predict_averages(*state_, X, numbers, threads), numbers);
  }
  return out;
}

}  // namespace induce
