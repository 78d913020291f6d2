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
#include "follow.hpp"
#include "output.hpp"
#include "read/column_names.hpp"
#include "row_writer.hpp"
#include "set_note.hpp"
#include "stream.hpp"

namespace induce::cli {
namespace {

struct PredictArguments {
  std::string model_path;
  DataArguments data;
  std::string output_path, cost;
  bool latent = false, doubt = false, follow = false;
  double alpha = 0;  // of sets of classes; 0: none
  int threads = 0;
};

// The numbers of a row: probabilities, and the latent Gaussians if they are wanted.
struct Numbers {
  std::string name;  // before that of a class
  const std::vector<double>& values;
};

std::vector<Numbers> latent_numbers(const Prediction& prediction, bool several) {
  return {{several ? "latent_mean_" : "latent_mean", prediction.mean},
          {several ? "latent_variance_" : "latent_variance", prediction.variance}};
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
        thresholds_(arguments.alpha > 0 ? thresholds_of_model(arguments.model_path) : std::vector<double>()),
        many_(classes_.size() > 2),
        several_(many_ && !model.ordered()),
        put_(std::move(put)) {}

  void write(const PredictedBatch& batch) {
    const Prediction& prediction = batch.prediction;
    const std::vector<Numbers> latent =
        several_ && !arguments_.latent ? std::vector<Numbers>() : latent_numbers(prediction, several_);
    if (!rows_) start(batch.ids.empty() ? "" : batch.id_name, latent);
    const Doubt doubts = arguments_.doubt ? doubt(model_, prediction) : Doubt{};
    const std::size_t functions = prediction.functions();
    const std::vector<double>& p = prediction.probabilities;
    const std::size_t C = prediction.classes;
    const std::vector<int> predicted = costs_ ? least_costly(p, C, *costs_) : most_probable(p, C);
    const std::vector<double> expected = costs_ ? expected_costs(p, C, *costs_) : std::vector<double>();
    const std::vector<char> sets =
        arguments_.alpha > 0 ? class_sets(p, C, arguments_.alpha, thresholds_) : std::vector<char>();
    const std::vector<double> levels = model_.ordered() ? expected_levels(p, C) : std::vector<double>();
    for (std::size_t i = 0; i < prediction.rows; ++i) {
      if (!batch.ids.empty()) rows_->add_encoded(rows_->encoded(batch.ids[i]));
      rows_->add_encoded(labels_[static_cast<std::size_t>(predicted[i])]);
      for (std::size_t c = 0; c < C; ++c) rows_->add(prediction.probability(i, c));
      if (model_.ordered()) rows_->add(levels[i]);
      for (const Numbers& numbers : latent)
        for (std::size_t c = 0; c < functions; ++c) rows_->add(numbers.values[i * functions + c]);
      if (arguments_.doubt) add_doubt(doubts, batch.novelty, i);
      if (!sets.empty()) rows_->add_encoded(rows_->encoded(set_text(sets.data() + i * C)));
      if (costs_) rows_->add(expected[i * C + static_cast<std::size_t>(predicted[i])]);
      rows_->end_row();
    }
    rows_->flush();
  }
  // The header, before there are rows.
  void write_header(const std::string& id) {
    const Prediction none{0, classes_.size(), {}, {}, {}};
    start(id, several_ && !arguments_.latent ? std::vector<Numbers>() : latent_numbers(none, several_));
    rows_->flush();
  }
  // A row without a prediction.
  void write_nothing() {
    if (!rows_) write_header(arguments_.data.id);
    for (std::size_t k = 0; k < columns_; ++k) rows_->add_encoded("");
    rows_->end_row();
    rows_->flush();
  }
  void finish() {
    if (rows_) rows_->finish();
  }

 private:
  void start(const std::string& id, const std::vector<Numbers>& latent) {
    std::vector<std::string> columns;
    if (!id.empty()) columns.push_back(id);
    columns.emplace_back("label");
    for (const std::string& name : classes_) columns.push_back("p_" + name);
    if (model_.ordered()) columns.emplace_back("expected_level");
    for (const Numbers& numbers : latent) {
      if (!several_) columns.push_back(numbers.name);
      for (std::size_t c = 0; several_ && c < classes_.size(); ++c)
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
    columns_ = columns.size();
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
  std::vector<double> thresholds_;  // of sets
  bool many_, several_;             // more than two classes; and a latent function for each
  RowWriter::Put put_;
  std::optional<RowWriter> rows_;
  std::size_t columns_ = 0;
  std::vector<std::string> labels_;  // encoded
};

// Standard input, line by line.
void run_follow(const CLI::App& parser, const PredictArguments& arguments) {
  if (!arguments.data.given.empty() && arguments.data.given != std::vector<std::string>{"-"})
    throw usage_error("--follow reads standard input: DATA must be - or left out, not '" +
                      arguments.data.given[0] + "'");
  if (parser.count("--output")) throw usage_error("--follow writes to standard output: leave out --output");
  const Model model = Model::load(arguments.model_path);
  ReadOptions how = read_options(arguments.data, 1);
  expect(how, model.names(), model.features());
  how.labels_required = false;
  how.ignore_labels = true;
  PredictionWriter writer(model, arguments, read_costs(arguments.cost, model),
                          [](std::string_view text) { std::cout << text << std::flush; });
  if (!as_integer(how.id)) writer.write_header(how.id);  // the name of an index is in the first line
  follow_lines(
      model, how, [&](const PredictedBatch& row) { writer.write(row); }, [&] { writer.write_nothing(); },
      arguments.doubt);
}

void run_predict(const CLI::App& parser, const PredictArguments& arguments) {
  if (arguments.follow) return run_follow(parser, arguments);
  if (arguments.data.given.empty()) throw usage_error("DATA is required");
  const std::vector<std::string> files = arguments.data.files();
  check_all_different(files, {{"MODEL", arguments.model_path}, {"--output", arguments.output_path}});
  check_output_format(arguments.output_path);
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
      "or ordered classes, latent_mean and latent_variance. Ordered classes also have expected_level, the "
      "mean of the number of the class, which is 1 for the lowest. DATA needs no labels; if it has any, they "
      "are ignored, and "
      "so are columns that the model does not use.");
  auto arguments = std::make_shared<PredictArguments>();
  add_model(*parser, arguments->model_path);
  add_data(*parser, arguments->data,
           "CSV: the label column to ignore, if any, by name or by index from 0. Default: the label column "
           "of the training data.");
  parser->get_option("DATA")->required(false);  // --follow needs none
  add_drop(*parser, arguments->data);
  add_column(*parser, "--id", arguments->data.id,
             "CSV: copy this column, by name or by index from 0, to the first column of the output.");
  add_flag(
      *parser, group::data, "--follow", arguments->follow,
      "Read rows from standard input, and answer each line at once, until it ends. A line is a row: no "
      "line breaks in quotes. A line that cannot be predicted gets a row of empty cells, and a message on "
      "standard error with its number. Default: off.");
  add_threads(*parser, arguments->threads);
  add_option(*parser, group::output, "-o,--output", "OUT", arguments->output_path,
             "Write to this file: JSON lines if its name ends in .jsonl, .ndjson or .json, otherwise CSV. "
             "Default: CSV to standard output.");
  add_flag(*parser, group::output, "--latent", arguments->latent,
           "With three or more classes, also write latent_mean_<class> and latent_variance_<class> for each "
           "class. Default: off; with two or ordered classes those of the only one are always "
           "written.");
  add_flag(*parser, group::output, "--doubt", arguments->doubt,
           "Also write what kind of doubt there is: p_low and p_high, between which the probability of the "
           "second class lies with 95 % (p_low_<class> and p_high_<class> with three or more); noise and "
           "knowledge, the parts of the entropy in nats that would stay and that would go if the latent "
           "functions were known; novelty, from 0 to 1: how unlike all training rows the row is. Default: "
           "off.");
  add_option(*parser, group::output, "--set", "ALPHA", arguments->alpha,
             "Also write a column set: the fewest classes that are right with probability 1 - ALPHA, with | "
             "between them, by the predictions of rows that the fit left out. Models without these (earlier "
             "versions, class weights): classes whose probabilities add up to 1 - ALPHA. Default: none.")
      ->check(open_fraction());
  add_cost(*parser, arguments->cost,
           "The label is then that of least expected cost, which is written to a column expected_cost. "
           "Default: none, and the label is the most probable one.");
  parser->footer(R"(Examples:
  induce predict my.model new.csv -o predictions.csv
  tail -f rows.csv | induce predict my.model --follow
  induce predict my.model new.csv --id customer -o predictions.jsonl
  induce predict my.model folder-of-files/ -o predictions.csv
  induce predict my.model new.csv | cut -d, -f1 | sort | uniq -c)");
  return {parser, [parser, arguments] { run_predict(*parser, *arguments); }};
}

}  // namespace induce::cli
