// See metrics.hpp.
#include <induce/metrics.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include <induce/error.hpp>

#include "rows/reducer.hpp"
#include "text/words.hpp"

namespace induce {

using namespace detail;

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

void check_labels(std::span<const int> y, std::size_t classes, std::span<const double> weight) {
  if (!weight.empty() && weight.size() != y.size())
    throw data_error("there are " + std::to_string(weight.size()) + " weights for " +
                     std::to_string(y.size()) + " labels");
  for (std::size_t i = 0; i < weight.size(); ++i)
    if (!(weight[i] >= 0 && std::isfinite(weight[i])))
      throw data_error("weight " + shortest(weight[i]) + " in row " + std::to_string(i) +
                       ": must be a number of at least 0");
  for (std::size_t i = 0; i < y.size(); ++i)
    if (y[i] < 0 || static_cast<std::size_t>(y[i]) >= classes)
      throw data_error(
          "label " + std::to_string(i) + " is " + std::to_string(y[i]) + ": must be " +
          (classes == 2 ? std::string("0 or 1") : "an integer from 0 to " + std::to_string(classes - 1)));
}

// `per_row`: probabilities for each row.
void check(std::span<const double> probability, std::size_t per_row, std::span<const int> y) {
  if (probability.size() != y.size() * per_row)
    throw data_error("there are " + std::to_string(probability.size()) + " probabilities for " +
                     std::to_string(y.size()) + " labels" +
                     (per_row == 1 ? "" : " and " + std::to_string(per_row) + " classes"));
  for (std::size_t i = 0; i < probability.size(); ++i)
    if (!(probability[i] >= 0 && probability[i] <= 1))
      throw data_error("probability " + std::to_string(i) + " is " + shortest(probability[i]) +
                       ": must be between 0 and 1");
}

using Weight = std::function<double(std::size_t)>;

constexpr Index bins = 15;

// Sums over rows: weight w, weight of the correct rows, loss l = -log p, squared errors, w^2, w^2 l and w^2 l^2, and p - y in
// each bin of p; of ordered classes the ranked probability score and the error in levels.
class Scores : public RowSum {
 public:
  void clear() { numbers_.setZero(9 + bins); }
  double& weight() { return numbers_[0]; }
  double& right() { return numbers_[1]; }
  double& loss() { return numbers_[2]; }
  double& squares() { return numbers_[3]; }
  double& rps() { return numbers_[7 + bins]; }
  double& level_error() { return numbers_[8 + bins]; }
  double& gap(Index bin) { return numbers_[7 + bin]; }

  void add_loss(double l, double w) {
    loss() += w * l;
    numbers_[4] += w * w;
    numbers_[5] += w * w * l;
    numbers_[6] += w * w * l * l;
  }
  // The standard error of the mean loss: the root of sum w^2 (l - mean)^2 n/(n - 1), over sum w.
  double error_of_loss(double n) {
    const double mean = loss() / weight();
    const double sum = numbers_[6] - 2 * mean * numbers_[5] + mean * mean * numbers_[4];
    return n < 2 ? not_a_number : std::sqrt(std::max(sum, 0.0) * n / (n - 1)) / weight();
  }

  void add(double p, int y, double w) {
    constexpr double smallest = 1e-15;
    const double clipped = std::clamp(p, smallest, 1 - smallest);
    weight() += w;
    right() += (p > 0.5) == (y == 1) ? w : 0;
    add_loss(-(y == 1 ? std::log(clipped) : std::log1p(-clipped)), w);
    squares() += w * (p - y) * (p - y);
    gap(std::min(bins - 1, static_cast<Index>(p * bins))) += w * (p - y);
  }

  // p: of all classes.
  void add(const double* p, std::size_t classes, int y, double w) {
    constexpr double smallest = 1e-15;
    const auto label = static_cast<std::size_t>(y);
    const auto top = static_cast<std::size_t>(std::max_element(p, p + classes) - p);
    weight() += w;
    right() += top == label ? w : 0;
    add_loss(-std::log(std::clamp(p[label], smallest, 1 - smallest)), w);
    for (std::size_t c = 0; c < classes; ++c) {
      const double error = p[c] - (c == label ? 1 : 0);
      squares() += w * error * error;
    }
    gap(std::min(bins - 1, static_cast<Index>(p[top] * bins))) += w * (p[top] - (top == label ? 1 : 0));
    double below = 0;  // p(y <= c)
    for (std::size_t c = 0; c + 1 < classes; ++c) {
      below += p[c];
      const double error = below - (label <= c ? 1 : 0);
      rps() += w * error * error / static_cast<double>(classes - 1);
    }
    level_error() += w * static_cast<double>(std::max(top, label) - std::min(top, label));
  }
};

constexpr Metrics no_metrics{
    0, not_a_number, not_a_number, not_a_number, not_a_number, not_a_number, not_a_number};

// Adds up rows with add(i, sum).
template <class Add>
Metrics from_rows(std::size_t n, const Add& add) {
  Workers one(1);
  Reducer<Scores> reducer(Blocks::light(static_cast<Index>(n)), one);
  Scores& scores = reducer.add_up([](Scores& sum) { sum.clear(); },
                                  [&](Index first, Index rows, int /*worker*/, Scores& sum) {
                                    for (std::size_t i = static_cast<std::size_t>(first);
                                         i < static_cast<std::size_t>(first + rows); ++i)
                                      add(i, sum);
                                  });
  const double total = scores.weight();
  double gaps = 0;
  for (Index bin = 0; bin < bins; ++bin) gaps += std::fabs(scores.gap(bin));
  return {.n = static_cast<std::size_t>(std::llround(total)),
          .accuracy = scores.right() / total,
          .nll = scores.loss() / total,
          .nll_error = scores.error_of_loss(static_cast<double>(n)),
          .brier = scores.squares() / total,
          .ece = gaps / total,
          .auc = not_a_number,
          .rps = scores.rps() / total,
          .level_error = scores.level_error() / total};
}

// The Mann-Whitney statistic: the fraction of pairs, one row of each class, in the correct order.
double area_under_curve(std::span<const double> probability, std::span<const int> y, const Weight& weight) {
  std::vector<std::size_t> order(y.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return probability[a] < probability[b]; });
  double wins = 0, positives = 0, negatives = 0;  // wins: pairs in the correct order; ties count half
  for (std::size_t first = 0; first < order.size();) {
    std::size_t end = first;
    double ones = 0, zeros = 0;
    for (; end < order.size() && probability[order[end]] == probability[order[first]]; ++end)
      (y[order[end]] == 1 ? ones : zeros) += weight(order[end]);
    wins += ones * (negatives + zeros / 2);
    positives += ones;
    negatives += zeros;
    first = end;
  }
  if (positives == 0 || negatives == 0) return not_a_number;
  return wins / (positives * negatives);
}

}  // namespace

Metrics evaluate(std::span<const double> probability, std::span<const int> y,
                 std::span<const double> weights) {
  check_labels(y, 2, weights);
  check(probability, 1, y);
  if (y.empty()) return no_metrics;
  const Weight weight = [&](std::size_t i) { return weights.empty() ? 1.0 : weights[i]; };
  Metrics metrics =
      from_rows(y.size(), [&](std::size_t i, Scores& sum) { sum.add(probability[i], y[i], weight(i)); });
  metrics.auc = area_under_curve(probability, y, weight);
  metrics.rps = metrics.level_error = not_a_number;
  return metrics;
}

Metrics evaluate(std::span<const double> probability, std::span<const int> y, std::size_t classes,
                 std::span<const double> weights, bool ordered) {
  if (classes < 2) throw data_error("there are " + std::to_string(classes) + " classes: must be at least 2");
  check_labels(y, classes, weights);
  check(probability, classes, y);
  if (classes == 2) {
    std::vector<double> second;
    for (std::size_t i = 0; i < y.size(); ++i) second.push_back(probability[2 * i + 1]);
    return evaluate(second, y, weights);
  }
  if (y.empty()) return no_metrics;
  const Weight weight = [&](std::size_t i) { return weights.empty() ? 1.0 : weights[i]; };
  Metrics metrics = from_rows(y.size(), [&](std::size_t i, Scores& sum) {
    sum.add(probability.data() + i * classes, classes, y[i], weight(i));
  });
  if (!ordered) metrics.rps = metrics.level_error = not_a_number;
  std::vector<double> own(y.size());
  std::vector<int> is_class(y.size());
  double sum = 0, present = 0;
  for (std::size_t c = 0; c < classes; ++c) {
    for (std::size_t i = 0; i < y.size(); ++i) {
      own[i] = probability[i * classes + c];
      is_class[i] = y[i] == static_cast<int>(c);
    }
    const double auc = area_under_curve(own, is_class, weight);
    if (std::isnan(auc)) continue;
    sum += auc;
    present += 1;
  }
  if (present > 0) metrics.auc = sum / present;
  return metrics;
}

std::vector<int> most_probable(std::span<const double> probability, std::size_t classes) {
  std::vector<int> predicted;
  for (std::size_t first = 0; first + classes <= probability.size(); first += classes) {
    const auto row = probability.subspan(first, classes);
    predicted.push_back(static_cast<int>(std::max_element(row.begin(), row.end()) - row.begin()));
  }
  return predicted;
}

std::vector<double> expected_levels(std::span<const double> probability, std::size_t classes) {
  std::vector<double> levels;
  for (std::size_t first = 0; first + classes <= probability.size(); first += classes) {
    double level = 0;
    for (std::size_t c = 0; c < classes; ++c) level += static_cast<double>(c + 1) * probability[first + c];
    levels.push_back(level);
  }
  return levels;
}

std::vector<double> confusion(std::span<const int> predicted, std::span<const int> y, std::size_t classes,
                              std::span<const double> weights) {
  if (predicted.size() != y.size())
    throw data_error("there are " + std::to_string(predicted.size()) + " predictions for " +
                     std::to_string(y.size()) + " labels");
  check_labels(y, classes, weights);
  check_labels(predicted, classes, {});
  std::vector<double> counts(classes * classes, 0);
  for (std::size_t i = 0; i < y.size(); ++i)
    counts[static_cast<std::size_t>(y[i]) * classes + static_cast<std::size_t>(predicted[i])] +=
        weights.empty() ? 1 : weights[i];
  return counts;
}

}  // namespace induce
