// `induce predict`: a label, the probability of each class and the latent Gaussians for each row.
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include <induce/error.hpp>
#include <induce/metrics.hpp>
#include <induce/model.hpp>

#include "arguments.hpp"
#include "commands.hpp"
#include "data.hpp"
#include "io/read.hpp"
#include "output.hpp"
#include "row_writer.hpp"

namespace induce::cli {
namespace {

struct PredictArguments {
  std::string model_path;
  DataArguments data;
  std::string output_path;
  bool latent = false;
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

void write_predictions(const Prediction& prediction, const Names& names, const Dataset& data,
                       const PredictArguments& arguments, RowWriter::Put put) {
  const std::vector<std::string>& classes = names.classes;
  const std::size_t count = classes.size();
  const bool many = count > 2;
  const std::vector<Numbers> latent =
      many && !arguments.latent ? std::vector<Numbers>() : latent_numbers(prediction, many);
  std::vector<std::string> columns;
  if (!data.ids.empty()) columns.push_back(data.id_name);
  columns.push_back("label");
  for (const std::string& name : classes) columns.push_back("p_" + name);
  for (const Numbers& numbers : latent) {
    if (!many) columns.push_back(numbers.name);
    for (std::size_t c = 0; many && c < count; ++c) columns.push_back(numbers.name + classes[c]);
  }
  const auto rows = make_row_writer(arguments.output_path, columns, std::move(put));
  std::vector<std::string> labels;
  for (const std::string& name : classes) labels.push_back(rows->encoded(name));
  const std::vector<int> predicted = many ? most_probable(prediction.probability, count) : std::vector<int>();
  const std::size_t per_row = many ? count : 1;  // of each kind of number
  for (std::size_t i = 0; i < prediction.probability.size() / per_row; ++i) {
    const double* p = &prediction.probability[i * per_row];
    if (!data.ids.empty()) rows->add_encoded(rows->encoded(data.ids[i]));
    rows->add_encoded(labels[many ? static_cast<std::size_t>(predicted[i]) : *p > 0.5 ? 1 : 0]);
    if (!many) rows->add(1 - *p);
    for (std::size_t c = 0; c < per_row; ++c) rows->add(p[c]);
    for (const Numbers& numbers : latent)
      for (std::size_t c = 0; c < per_row; ++c) rows->add(numbers.values[i * per_row + c]);
    rows->end_row();
  }
  rows->flush();
}

void run_predict(const CLI::App& parser, const PredictArguments& arguments) {
  check_all_different(
      {{"MODEL", arguments.model_path}, {"DATA", arguments.data.path}, {"--output", arguments.output_path}});
  check_output_format(arguments.output_path);
  if (parser.count("--id") && arguments.data.id.empty()) throw usage_error("--id: '' is not a column");
  std::optional<OutputFile> file;
  if (parser.count("--output")) file.emplace("--output", arguments.output_path);

  const Model model = Model::load(arguments.model_path);
  ReadOptions how = read_options(arguments.data, arguments.threads);
  expect(how, model.names(), model.features());
  how.labels_required = false;
  how.ignore_labels = true;
  const Dataset data = read_dataset(arguments.data.path, how);
  show_warnings(data, model);
  const Prediction prediction = predict_data(model, data, arguments.threads);
  write_predictions(prediction, model.names(), data, arguments,
                    [&](std::string_view text) { file ? file->write(text) : void(std::cout << text); });
  if (file) file->commit();
}

}  // namespace

Command add_predict(CLI::App& program) {
  CLI::App* parser = program.add_subcommand(
      "predict",
      "Predict a label and class probabilities for each row.\n\n"
      "Writes one row for each row of DATA: the --id column, label, p_<class> for each "
      "class and, for two classes, latent_mean and latent_variance. DATA needs no labels; "
      "if it has any, they are ignored, and so are columns that the model does not use.");
  auto arguments = std::make_shared<PredictArguments>();
  parser->add_option("MODEL", arguments->model_path, "A model file written by `induce fit -o MODEL`.")
      ->required();
  add_data(
      *parser, arguments->data,
      "CSV: the label column to ignore, if any, by name or by index from 0. Default: the label column of "
      "the training data.");
  add_drop(*parser, arguments->data);
  parser
      ->add_option("--id", arguments->data.id,
                   "CSV: copy this column, by name or by index from 0, to the first column of the output.")
      ->option_text("COLUMN")
      ->group(group::data);
  add_threads(*parser, arguments->threads);
  parser
      ->add_option(
          "-o,--output", arguments->output_path,
          "Write to this file: JSON lines if its name ends in .jsonl, .ndjson or .json, otherwise CSV. "
          "Default: CSV to standard output.")
      ->option_text("OUT")
      ->group(group::output);
  parser
      ->add_flag("--latent", arguments->latent,
                 "With three or more classes, also write latent_mean_<class> and latent_variance_<class> for "
                 "each class. Default: off; with two classes they are always written.")
      ->group(group::output);
  parser->footer(R"(Examples:
  induce predict my.model new.csv -o predictions.csv
  induce predict my.model new.csv --id customer -o predictions.jsonl
  induce predict my.model new.csv | cut -d, -f1 | sort | uniq -c)");
  return {parser, [parser, arguments] { run_predict(*parser, *arguments); }};
}

}  // namespace induce::cli
