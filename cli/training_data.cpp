// See training_data.hpp. In a job of several processes (shards.hpp) this one reads; the rows of a large table then go to all
// of them.
#include "training_data.hpp"

#include <algorithm>
#include <sstream>
#include <string>

#include <induce/error.hpp>

#include "data.hpp"
#include "fit/fit_shards.hpp"
#include "fit/fit_store.hpp"
#include "read/schema.hpp"
#include "file/file_list.hpp"
#include "read/lines.hpp"
#include "read/read.hpp"
#include "shard/shards.hpp"
#include "shards.hpp"
#include "text/compose.hpp"
#include "text/words.hpp"

namespace induce::cli {
namespace {

// The number of features in a LIBSVM file; 0 if it is not one.
std::size_t libsvm_features(const std::vector<std::string>& files, ReadOptions how) {
  how.format = Format::libsvm;
  how.features = 0;
  how.expected_features.clear();
  try {
    return read_dataset(files, how).features();
  } catch (const Error&) {
    return 0;
  }
}

Dataset read_test(const std::string& path, const ReadOptions& how) {
  const std::vector<std::string> files = list_files({path});
  try {
    return read_dataset(files, how);
  } catch (const Error&) {
    const std::size_t found = how.format == Format::csv ? 0 : libsvm_features(files, how);
    if (found <= how.features) throw;
    throw data_error("'" + path + "' has " + std::to_string(found) + " features, the training file has " +
                     std::to_string(how.features) + "; use --features " + std::to_string(found));
  }
}

// A test file has the columns of the training file, by name or in the same order.
void expect_columns_of(ReadOptions& how, const Dataset& train) {
  how.categorical.clear();
  how.numeric.clear();
  how.only.clear();
  how.drop.clear();
  how.group.clear();
  how.time.clear();
  how.id.clear();
  if (train.names.features.empty())
    for (const std::size_t column : train.left_out) how.drop.push_back(std::to_string(column));
  expect(how, train.names, train.features());
}

std::vector<std::string> labels_in(const std::string& list) {
  std::vector<std::string> labels;
  std::istringstream text(list);
  for (std::string label; std::getline(text, label, ',');) labels.emplace_back(trimmed(label));
  return labels;
}

// Of ordered classes.
void check_order(const Names& names, const FitArguments& arguments, const Options& options) {
  if (options.likelihood != "ordinal" || names.classes.size() < 3 || !arguments.order.empty()) return;
  const auto is_number = [](const std::string& name) { return parsed<double>(name).has_value(); };
  if (std::all_of(names.classes.begin(), names.classes.end(), is_number)) return;
  throw usage_error(
      "likelihood = ordinal: the labels are texts, which have no order; give it, from the lowest to the "
      "highest: " +
      typed_command() + " --order " + joined(names.classes, ","));
}

// Rows for metrics.
void take_sample(Carrier& carrier, std::size_t all_rows, Dataset& data) {
  Workers workers(1);
  Shards shards(carrier, workers);
  OwnedRows rows = shards.draw_sample(share_for_metrics(all_rows));
  data.X = rows.matrix();
  data.y = std::move(rows.labels);
  data.weights = std::move(rows.weights);
}

}  // namespace

TrainingData read_training_data(const FitArguments& arguments, const Options& options) {
  if (const std::string flag = option_in_memory(arguments); job_shards().carrier && !flag.empty())
    throw usage_error(flag + ": the rows of a fit over several processes cannot have them");
  ReadOptions how = read_options(arguments.data, options.threads);
  how.features = arguments.features;
  how.weight = arguments.weight;
  how.order = labels_in(arguments.order);
  read_groups(how, arguments);
  std::optional<TrainingData> large = read_large_table(arguments, how, options);
  TrainingData data =
      large ? *std::move(large) : TrainingData{.train = read_dataset(arguments.data.files(), how)};
  check_order(data.train.names, arguments, options);
  if (const std::vector<double>& trials = data.train.trials;
      !trials.empty() && std::all_of(trials.begin(), trials.end(), [](double each) { return each == 0; }))
    throw data_error("--trials: no row has trials: all are 0");
  data.groups = take_groups(data.train, arguments);
  for (std::string& doubt : doubts_about_numbers(data.train)) data.train.warnings.push_back(std::move(doubt));
  if (!arguments.quiet) show_warnings(data.train);
  if (!arguments.test_path.empty()) {
    expect_columns_of(how, data.train);
    how.known_label = data.train.names.label;
    how.dense_shows_all = arguments.features == 0;
    data.test = read_test(arguments.test_path, how);
    if (!arguments.quiet) show_warnings(*data.test);
  } else if (arguments.holdout > 0) {
    auto [train, test] = hold_out(data.train, arguments.holdout, options.seed, data.groups);
    train.warnings = std::move(data.train.warnings);
    data.train = std::move(train);
    data.test = std::move(test);
    data.test->weights.clear();  // metrics on test rows are unweighted
  }
  if (data.in_files || data.in_shards) return data;
  data.rows = data.train.rows();
  data.class_rows = class_rows(data.train);
  data.class_weights = class_weights(data.train);
  return data;
}

Fit fit_data(TrainingData& data, const Options& options) {
  const Dataset& from = data.train;
  Carrier* carrier = job_shards().carrier;
  const auto fit_rows = [&](const auto& rows) {
    if (!from.successes.empty())
      return fit(rows, from.counts(), options, from.weights, from.names, data.groups.view());
    return carrier ? fit_shards(*carrier, rows, from.y, options, from.weights, from.names)
                   : fit(rows, from.y, options, from.weights, from.names, data.groups.view());
  };
  if (data.in_files) return fit_store(*data.in_files, options, from.names);
  if (data.in_shards) {
    Fit fit = fit_shards(*carrier, options, from.names);
    take_sample(*carrier, data.rows, data.train);
    return fit;
  }
  if (from.sparse) return fit_rows(from.sparse->view());
  return fit_rows(from.view());
}

}  // namespace induce::cli
