// `induce predict`: a label, the probability of each class and the latent Gaussians for each row. Numbers round-trip
// exactly.
#include <array>
#include <charconv>
#include <functional>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include <induce/metrics.hpp>
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
  bool latent = false;
  int threads = 0;
};

// Builds lines and passes them on in large pieces.
class CsvWriter {
 public:
  using Put = std::function<void(std::string_view)>;
  explicit CsvWriter(Put put) : put_(std::move(put)) {}

  void field(std::string_view text) {
    text_ += text;
    text_ += ',';
  }
  void field(double value) {  // as shortest() writes it
    std::array<char, 32> digits{};
    const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), value);
    field(std::string_view(digits.data(), static_cast<std::size_t>(end - digits.data())));
  }
  void end_line() {
    text_.back() = '\n';
    if (text_.size() >= piece) flush();
  }
  void flush() {
    put_(text_);
    text_.clear();
  }

 private:
  static constexpr std::size_t piece = 1 << 20;
  Put put_;
  std::string text_;
};

void write_two_classes(const Prediction& prediction, const std::vector<std::string>& classes,
                       CsvWriter& csv) {
  const std::array<std::string, 2> label{csv_field(classes[0]), csv_field(classes[1])};
  csv.field("label");
  for (const std::string& name : classes) csv.field(csv_field("p_" + name));
  csv.field("latent_mean");
  csv.field("latent_variance");
  csv.end_line();
  for (std::size_t i = 0; i < prediction.probability.size(); ++i) {
    const double p = prediction.probability[i];
    csv.field(label[p > 0.5 ? 1 : 0]);
    for (const double number : {1 - p, p, prediction.mean[i], prediction.variance[i]}) csv.field(number);
    csv.end_line();
  }
}

// Three or more.
void write_classes(const Prediction& prediction, const std::vector<std::string>& classes, bool latent,
                   CsvWriter& csv) {
  using Columns = std::pair<std::string, const std::vector<double>*>;
  std::vector<Columns> columns{{"p_", &prediction.probability}};
  if (latent)
    columns.insert(columns.end(),
                   {{"latent_mean_", &prediction.mean}, {"latent_variance_", &prediction.variance}});
  std::vector<std::string> labels;
  for (const std::string& name : classes) labels.push_back(csv_field(name));
  csv.field("label");
  for (const auto& [prefix, numbers] : columns)
    for (const std::string& name : classes) csv.field(csv_field(prefix + name));
  csv.end_line();
  const std::vector<int> predicted = most_probable(prediction.probability, classes.size());
  for (std::size_t i = 0; i < predicted.size(); ++i) {
    csv.field(labels[static_cast<std::size_t>(predicted[i])]);
    for (const auto& [prefix, numbers] : columns)
      for (std::size_t c = 0; c < classes.size(); ++c) csv.field((*numbers)[i * classes.size() + c]);
    csv.end_line();
  }
}

void write_csv(const Prediction& prediction, const Names& names, bool latent, CsvWriter::Put put) {
  CsvWriter csv(std::move(put));
  if (names.classes.size() == 2)
    write_two_classes(prediction, names.classes, csv);
  else
    write_classes(prediction, names.classes, latent, csv);
  csv.flush();
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
  const Prediction prediction = model.predict(data.view(), arguments.threads);
  write_csv(prediction, model.names(), arguments.latent,
            [&](std::string_view text) { file ? file->write(text) : void(std::cout << text); });
  if (file) file->commit();
}

}  // namespace

Command add_predict(CLI::App& program) {
  CLI::App* parser =
      program.add_subcommand("predict",
                             "Predict a label and class probabilities for each row.\n\n"
                             "Writes one CSV row for each row of DATA: label, p_<class> for each class and, "
                             "for two classes, latent_mean and latent_variance. DATA needs no labels; if it "
                             "has any, they are ignored.");
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
  parser
      ->add_flag("--latent", arguments->latent,
                 "With three or more classes, also write latent_mean_<class> and latent_variance_<class> for "
                 "each class. Default: off; with two classes they are always written.")
      ->group(group::output);
  parser->footer(R"(Examples:
  induce predict my.model new.csv -o predictions.csv
  induce predict my.model new.csv | cut -d, -f1 | sort | uniq -c)");
  return {parser, [parser, arguments] { run_predict(*parser, *arguments); }};
}

}  // namespace induce::cli
