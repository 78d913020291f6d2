// `induce predict`: a label, the probability of each class and the latent Gaussians for each row.
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include <induce/doubt.hpp>
#include <induce/error.hpp>
#include <induce/metrics.hpp>
#include <induce/model.hpp>

#include "arguments.hpp"
#include "commands.hpp"
#include "costs.hpp"
#include "data.hpp"
#include "output.hpp"
#include "row_writer.hpp"
#include "stream.hpp"

namespace induce::cli {
namespace {

struct PredictArguments {
  std::string model_path;
  DataArguments data;
  std::string output_path, cost;
  bool latent = false, doubt = false;
  double alpha = 0;  // of sets of classes; 0: none
  int threads = 0;
};

// The numbers of a row: probabilities, and the latent Gaussians if they are wanted.
struct Numbers {
  std::string name;  // before that of a class
  const std::vector<double>& values;
};

std::vector<Numbers> latent_numbers(const Prediction& prediction, bool many) {
  return {{many ? "latent_mean_" : "latent_mean", prediction.mean},
          {many ? "latent_variance_" : "latent_variance", prediction.variance}};
}

// Writes the rows of one batch after the other.
class PredictionWriter {
 public:
  PredictionWriter(const Model& model, const PredictArguments& arguments, std::optional<Costs> costs,
                   RowWriter::Put put)
      : model_(model),
        classes_(model.names().classes),
        arguments_(arguments),
        costs_(std::move(costs)),
        many_(classes_.size() > 2),
        put_(std::move(put)) {}

  void write(const PredictedBatch& batch) {
    const Prediction& prediction = batch.prediction;
    const std::vector<Numbers> latent =
        many_ && !arguments_.latent ? std::vector<Numbers>() : latent_numbers(prediction, many_);
    if (!rows_) start(batch, latent);
    const Doubt doubts = arguments_.doubt ? doubt(model_, prediction) : Doubt{};
    const std::size_t functions = prediction.functions();
    const std::vector<double>& p = prediction.probabilities;
    const std::size_t C = prediction.classes;
    const std::vector<int> predicted = costs_ ? least_costly(p, C, *costs_) : most_probable(p, C);
    const std::vector<double> expected = costs_ ? expected_costs(p, C, *costs_) : std::vector<double>();
    const std::vector<char> sets =
        arguments_.alpha > 0 ? class_sets(p, C, arguments_.alpha) : std::vector<char>();
    for (std::size_t i = 0; i < prediction.rows; ++i) {
      if (!batch.ids.empty()) rows_->add_encoded(rows_->encoded(batch.ids[i]));
      rows_->add_encoded(labels_[static_cast<std::size_t>(predicted[i])]);
      for (std::size_t c = 0; c < C; ++c) rows_->add(prediction.probability(i, c));
      for (const Numbers& numbers : latent)
        for (std::size_t c = 0; c < functions; ++c) rows_->add(numbers.values[i * functions + c]);
      if (arguments_.doubt) add_doubt(doubts, batch.novelty, i);
      if (!sets.empty()) rows_->add_encoded(rows_->encoded(set_text(sets.data() + i * C)));
      if (costs_) rows_->add(expected[i * C + static_cast<std::size_t>(predicted[i])]);
      rows_->end_row();
    }
    rows_->flush();
  }
  void finish() {
    if (rows_) rows_->finish();
  }

 private:
  void start(const PredictedBatch& batch, const std::vector<Numbers>& latent) {
    std::vector<std::string> columns;
    if (!batch.ids.empty()) columns.push_back(batch.id_name);
    columns.push_back("label");
    for (const std::string& name : classes_) columns.push_back("p_" + name);
    for (const Numbers& numbers : latent) {
      if (!many_) columns.push_back(numbers.name);
      for (std::size_t c = 0; many_ && c < classes_.size(); ++c)
        columns.push_back(numbers.name + classes_[c]);
    }
    if (arguments_.doubt) {
      for (const char* end : {"p_low", "p_high"})
        for (std::size_t c = many_ ? 0 : 1; c < classes_.size(); ++c)
          columns.push_back(std::string(end) + (many_ ? "_" + classes_[c] : ""));
      for (const char* name : {"noise", "knowledge", "novelty"}) columns.emplace_back(name);
    }
    if (arguments_.alpha > 0) columns.emplace_back("set");
    if (costs_) columns.emplace_back("expected_cost");
    rows_.emplace(arguments_.output_path, columns, put_);
    for (const std::string& name : classes_) labels_.push_back(rows_->encoded(name));
  }

  // Of two classes, the range of the second.
  void add_doubt(const Doubt& doubts, const std::vector<double>& novelty, std::size_t i) {
    for (const std::vector<double>* ends : {&doubts.low, &doubts.high})
      for (std::size_t c = many_ ? 0 : 1; c < doubts.classes; ++c)
        rows_->add((*ends)[i * doubts.classes + c]);
    rows_->add(doubts.noise[i]);
    rows_->add(doubts.knowledge[i]);
    rows_->add(novelty[i]);
  }
  std::string set_text(const char* in_set) const {
    std::string text;
    for (std::size_t c = 0; c < classes_.size(); ++c)
      if (in_set[c]) text += (text.empty() ? "" : "|") + classes_[c];
    return text;
  }

  const Model& model_;
  const std::vector<std::string>& classes_;
  const PredictArguments& arguments_;
  std::optional<Costs> costs_;
  bool many_;
  RowWriter::Put put_;
  std::optional<RowWriter> rows_;
  std::vector<std::string> labels_;  // encoded
};

void run_predict(const CLI::App& parser, const PredictArguments& arguments) {
  const std::vector<std::string> files = arguments.data.files();
  check_all_different(files, {{"MODEL", arguments.model_path}, {"--output", arguments.output_path}});
  check_output_format(arguments.output_path);
  if (parser.count("--id") && arguments.data.id.empty()) throw usage_error("--id: '' is not a column");
  std::optional<OutputFile> file;
  if (parser.count("--output")) file.emplace("--output", arguments.output_path);

  const Model model = Model::load(arguments.model_path);
  ReadOptions how = read_options(arguments.data, arguments.threads);
  expect(how, model.names(), model.features());
  how.labels_required = false;
  how.ignore_labels = true;
  PredictionWriter writer(model, arguments, read_costs(arguments.cost, model),
                          [&](std::string_view text) { file ? file->write(text) : void(std::cout << text); });
  predict_in_batches(
      model, files, how, arguments.threads, [&](const PredictedBatch& batch) { writer.write(batch); },
      arguments.doubt);
  writer.finish();
  if (file) file->commit();
}

}  // namespace

Command add_predict(CLI::App& program) {
  CLI::App* parser = program.add_subcommand(
      "predict",
      "Predict a label and class probabilities for each row.\n\n"
      "Writes one row for each row of DATA: the --id column, label, p_<class> for each class and, for two "
      "classes, latent_mean and latent_variance. DATA needs no labels; if it has any, they are ignored, and "
      "so are columns that the model does not use.");
  auto arguments = std::make_shared<PredictArguments>();
  add_model(*parser, arguments->model_path);
  add_data(*parser, arguments->data,
           "CSV: the label column to ignore, if any, by name or by index from 0. Default: the label column "
           "of the training data.");
  add_drop(*parser, arguments->data);
  add_option(*parser, group::data, "--id", "COLUMN", arguments->data.id,
             "CSV: copy this column, by name or by index from 0, to the first column of the output.");
  add_threads(*parser, arguments->threads);
  add_option(*parser, group::output, "-o,--output", "OUT", arguments->output_path,
             "Write to this file: JSON lines if its name ends in .jsonl, .ndjson or .json, otherwise CSV. "
             "Default: CSV to standard output.");
  add_flag(*parser, group::output, "--latent", arguments->latent,
           "With three or more classes, also write latent_mean_<class> and latent_variance_<class> for each "
           "class. Default: off; with two classes they are always written.");
  add_flag(*parser, group::output, "--doubt", arguments->doubt,
           "Also write what kind of doubt there is: p_low and p_high, between which the probability of the "
           "second class lies with 95 % (p_low_<class> and p_high_<class> with three or more); noise and "
           "knowledge, the parts of the entropy in nats that would stay and that would go if the latent "
           "functions were known; novelty, from 0 to 1: how unlike all training rows the row is. Default: "
           "off.");
  add_option(*parser, group::output, "--set", "ALPHA", arguments->alpha,
             "Also write a column set: the fewest classes whose probabilities add up to 1 - ALPHA, with | "
             "between them. Default: none.")
      ->check(open_fraction());
  add_cost(*parser, arguments->cost,
           "The label is then that of least expected cost, which is written to a column expected_cost. "
           "Default: none, and the label is the most probable one.");
  parser->footer(R"(Examples:
  induce predict my.model new.csv -o predictions.csv
  induce predict my.model new.csv --id customer -o predictions.jsonl
  induce predict my.model folder-of-files/ -o predictions.csv
  induce predict my.model new.csv | cut -d, -f1 | sort | uniq -c)");
  return {parser, [parser, arguments] { run_predict(*parser, *arguments); }};
}

}  // namespace induce::cli
