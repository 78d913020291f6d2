#include "data.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <induce/error.hpp>
#include <induce/far_values.hpp>

#include "fit/trials.hpp"
#include "notice.hpp"
#include "rows/exact_sum.hpp"
#include "linalg/random.hpp"
#include "text/format.hpp"

namespace induce::cli {
namespace {

Dataset take_rows(const Dataset& all, const std::vector<std::size_t>& rows) {
  Dataset part;
  part.names = all.names;
  part.columns = all.columns;
  part.rows_with_gaps = all.rows_with_gaps;
  part.rows_without_label = all.rows_without_label;
  if (all.sparse)
    part.sparse = detail::take_rows(all.sparse->view(), rows);
  else
    part.X.resize(static_cast<Eigen::Index>(rows.size()), all.X.cols());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!all.sparse) part.X.row(static_cast<Eigen::Index>(i)) = all.X.row(static_cast<Eigen::Index>(rows[i]));
    part.y.push_back(all.y[rows[i]]);
    if (!all.weights.empty()) part.weights.push_back(all.weights[rows[i]]);
    if (!all.successes.empty()) part.successes.push_back(all.successes[rows[i]]);
    if (!all.trials.empty()) part.trials.push_back(all.trials[rows[i]]);
  }
  return part;
}

}  // namespace

ReadOptions read_options(const DataArguments& arguments, int threads) {
  ReadOptions options;
  if (arguments.format == "csv") options.format = Format::csv;
  if (arguments.format == "libsvm") options.format = Format::libsvm;
  if (arguments.encoding == "utf-8") options.encoding = TextEncoding::utf8;
  if (arguments.encoding == "latin-1") options.encoding = TextEncoding::latin1;
  if (arguments.encoding == "utf-16") options.encoding = TextEncoding::utf16;
  if (!arguments.delimiter.empty())
    options.delimiter = arguments.delimiter == "tab" ? '\t' : arguments.delimiter[0];
  if (arguments.dates == "day-first") options.dates = TextStyle::day_first;
  if (arguments.dates == "month-first") options.dates = TextStyle::month_first;
  options.command = typed_command();
  options.label = arguments.label;
  options.trials = arguments.trials;
  options.shares = arguments.shares;
  options.categorical = arguments.categorical;
  options.numeric = arguments.numeric;
  options.drop = arguments.drop;
  options.only = arguments.only;
  options.id = arguments.id;
  options.threads = threads;
  return options;
}

void expect(ReadOptions& options, const Names& names, std::size_t features) {
  options.features = features;
  options.dense_shows_all = true;
  options.classes = names.classes;
  options.expected_features = names.features;
  options.expected_columns = names.columns;
  if (options.label.empty()) options.label = names.label;
  options.weight = names.weight;
  options.weights_required = false;
  options.ignore_weights = true;
}

void show_warnings(const Dataset& data) {
  for (const std::string& warning : data.warnings) warn(warning);
}

void warn_of_new_gaps(std::size_t rows) {
  if (rows > 0)
    warn(counted(rows, "row") + (rows == 1 ? " has" : " have") +
         " gaps unlike those of the training data: their predictions average over typical values and are "
         "less certain");
}

void add_rows_outside(std::vector<RowsOutside>& sum, const std::vector<RowsOutside>& rows) {
  for (std::size_t column = 0; column < rows.size(); ++column) {
    sum[column].below += rows[column].below;
    sum[column].above += rows[column].above;
  }
}

void warn_of_far_values(const Model& model, const std::vector<RowsOutside>& rows) {
  if (const std::string text = far_values_text(model, rows); !text.empty()) warn(text);
}

namespace {

std::vector<bool> held_out_of_classes(const Dataset& all, double fraction, std::uint64_t seed) {
  Random random(seed);
  std::vector<bool> held(all.y.size(), false);
  std::vector<std::vector<std::size_t>> rows_of_class(all.names.classes.size());
  for (std::size_t i = 0; i < all.y.size(); ++i)
    rows_of_class[static_cast<std::size_t>(all.y[i])].push_back(i);
  for (std::vector<std::size_t>& rows : rows_of_class) {
    random.shuffle(rows);
    // Keep at least one row of each class for training.
    const auto wanted = static_cast<std::size_t>(std::lround(fraction * static_cast<double>(rows.size())));
    rows.resize(rows.empty() ? 0 : std::min(wanted, rows.size() - 1));
    for (const std::size_t i : rows) held[i] = true;
  }
  return held;
}

}  // namespace

std::pair<Dataset, Dataset> hold_out(const Dataset& all, double fraction, std::uint64_t seed,
                                     RowGroups& groups) {
  const std::vector<bool> held =
      groups.of.empty() ? held_out_of_classes(all, fraction, seed) : held_out_groups(groups, fraction, seed);
  std::vector<std::size_t> train, test;
  for (std::size_t i = 0; i < held.size(); ++i) (held[i] ? test : train).push_back(i);
  if (test.empty())
    throw data_error("--holdout: " + shortest(fraction) + " of " + std::to_string(all.y.size()) +
                     noun(all.y.size(), " row") + " leaves no rows to test on");
  std::vector<int> kept;
  for (const std::size_t i : train)
    if (!groups.of.empty()) kept.push_back(groups.of[i]);
  groups.of = std::move(kept);
  return {take_rows(all, train), take_rows(all, test)};
}

Dataset with_classes(Dataset data) {
  if (data.successes.empty()) return data;
  SplitRows split = split_trials(data.counts(), data.weights);
  Dataset found = take_rows(data, split.row);
  found.y = std::move(split.label);
  found.weights = std::move(split.weight);
  found.successes.clear();
  found.trials.clear();
  return found;
}

std::vector<std::size_t> class_rows(const Dataset& data) {
  std::vector<std::size_t> rows(data.names.classes.size(), 0);
  const std::vector<int> split =
      data.successes.empty() ? std::vector<int>() : split_trials(data.counts()).label;
  for (const int label : data.successes.empty() ? data.y : split) ++rows[static_cast<std::size_t>(label)];
  return rows;
}

std::vector<double> class_weights(const Dataset& data) {
  std::vector<ExactSum> sums(data.names.classes.size());
  if (!data.successes.empty()) {
    const SplitRows split = split_trials(data.counts(), data.weights);
    for (std::size_t k = 0; k < split.row.size(); ++k)
      sums[static_cast<std::size_t>(split.label[k])].add(split.weight[k]);
  } else {
    for (std::size_t i = 0; i < data.y.size(); ++i)
      sums[static_cast<std::size_t>(data.y[i])].add(data.weights.empty() ? 1 : data.weights[i]);
  }
  std::vector<double> values;
  for (const ExactSum& sum : sums) values.push_back(sum.value());
  return values;
}

std::vector<double> balancing_factors(const std::vector<double>& class_weights) {
  ExactSum total;
  for (const double weight : class_weights) total.add(weight);
  std::vector<double> factors;
  for (const double weight : class_weights)
    factors.push_back(weight > 0 ? total.value() / (static_cast<double>(class_weights.size()) * weight) : 1);
  return factors;
}

Prediction predict_data(const Model& model, const Dataset& data, int threads) {
  return data.sparse ? model.predict(data.sparse->view(), threads) : model.predict(data.view(), threads);
}

Metrics evaluate_on(const Model& model, const Dataset& data, int threads) {
  if (!data.successes.empty()) return evaluate_on(model, with_classes(data), threads);
  return evaluate(predict_data(model, data, threads).probabilities, data.y, model.classes(), data.weights,
                  model.ordered());
}

}  // namespace induce::cli
