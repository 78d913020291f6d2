// `induce predict`: a label, the probability of each class and the latent Gaussian for each row. Numbers round-trip
// exactly.
#include <array>
#include <iostream>
#include <memory>
#include <optional>
#include <string>

#include <CLI/CLI.hpp>

#include <induce/model.hpp>

#include "arguments.hpp"
#include "commands.hpp"
#include "data.hpp"
#include "io/read.hpp"
#include "output.hpp"
#include "text.hpp"

namespace induce::cli {
namespace {

struct PredictArguments {
  std::string model_path;
  DataArguments data;
  std::string output_path;
  int threads = 0;
};

// Two classes.
std::string to_csv(const Prediction& prediction, const Names& names) {
  const std::array<std::string, 2> label{csv_field(names.classes[0]), csv_field(names.classes[1])};
  std::string csv = "label," + csv_field("p_" + names.classes[0]) + "," + csv_field("p_" + names.classes[1]) +
                    ",latent_mean,latent_variance\n";
  for (std::size_t i = 0; i < prediction.probability.size(); ++i) {
    const double p = prediction.probability[i];
    csv += label[p > 0.5 ? 1 : 0] + "," + shortest(1 - p) + "," + shortest(p) + "," +
           shortest(prediction.mean[i]) + "," + shortest(prediction.variance[i]) + "\n";
  }
  return csv;
}

void run_predict(const CLI::App& parser, const PredictArguments& arguments) {
  check_all_different(
      {{"MODEL", arguments.model_path}, {"DATA", arguments.data.path}, {"--output", arguments.output_path}});
  std::optional<OutputFile> file;
  if (parser.count("--output")) file.emplace("--output", arguments.output_path);

  const Model model = Model::load(arguments.model_path);
  ReadOptions how = read_options(arguments.data, arguments.threads);
  expect(how, model.names(), model.features());
  how.labels_required = false;
  how.ignore_labels = true;
  const Dataset data = read_dataset(arguments.data.path, how);
  const std::string csv = to_csv(model.predict(data.view(), arguments.threads), model.names());
  if (!file) {
    std::cout << csv;
    return;
  }
  file->write(csv);
  file->commit();
}

}  // namespace

Command add_predict(CLI::App& program) {
  CLI::App* parser =
      program.add_subcommand("predict",
                             "Predict a label and class probabilities for each row.\n\n"
                             "Writes one CSV row for each row of DATA: label, p_<class> for both "
                             "classes, latent_mean, latent_variance. DATA needs no labels; if it has "
                             "any, they are ignored.");
  auto arguments = std::make_shared<PredictArguments>();
  parser->add_option("MODEL", arguments->model_path, "A model file written by `induce fit -o MODEL`.")
      ->required();
  add_data(
      *parser, arguments->data,
      "CSV: the label column to ignore, if any, by name or by index from 0. Default: the label column of "
      "the training data.");
  add_threads(*parser, arguments->threads);
  parser->add_option("-o,--output", arguments->output_path, "Write to this file. Default: standard output.")
      ->option_text("OUT.csv")
      ->group(group::output);
  parser->footer(R"(Examples:
  induce predict my.model new.csv -o predictions.csv
  induce predict my.model new.csv | cut -d, -f1 | sort | uniq -c)");
  return {parser, [parser, arguments] { run_predict(*parser, *arguments); }};
}

}  // namespace induce::cli
