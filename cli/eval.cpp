// `induce eval`: metrics of a saved model on labelled data.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include <induce/model.hpp>

#include "arguments.hpp"
#include "commands.hpp"
#include "confusion.hpp"
#include "costs.hpp"
#include "data.hpp"
#include "notice.hpp"
#include "output.hpp"
#include "summary_text.hpp"
#include "stream.hpp"
#include "summary_json.hpp"

namespace induce::cli {
namespace {

struct EvalArguments {
  std::string model_path;
  DataArguments data;
  std::string json_path, cost;
  bool confusion = false;
  int threads = 0;
};

void run_eval(const CLI::App& parser, const EvalArguments& arguments) {
  const std::vector<std::string> files = arguments.data.files();
  check_all_different(files, {{"MODEL", arguments.model_path}, {"--json", arguments.json_path}});
  std::optional<OutputFile> file;
  if (parser.count("--json")) file.emplace("--json", arguments.json_path);

  check_counts(parser, arguments.data);
  const Model model = Model::load(arguments.model_path);
  const std::optional<Costs> costs = read_costs(arguments.cost, model);
  ReadOptions how = read_options(arguments.data, arguments.threads);
  expect(how, model.names(), model.features());
  std::vector<double> probability;  // all that the metrics need of a row, with its class
  std::vector<int> y;
  std::vector<double> weights;  // of counts and shares
  predict_in_batches(model, files, how, arguments.threads, [&](const PredictedBatch& batch) {
    const std::vector<double>& more = batch.prediction.probabilities;
    probability.insert(probability.end(), more.begin(), more.end());
    y.insert(y.end(), batch.y.begin(), batch.y.end());
    weights.insert(weights.end(), batch.weight.begin(), batch.weight.end());
  });
  const Metrics metrics = evaluate(probability, y, model.classes(), weights, model.ordered());
  const std::vector<int> predicted = costs ? least_costly(probability, model.classes(), *costs)
                                           : most_probable(probability, model.classes());
  const Confusion confusion = confusion_of(model, predicted, y, weights);
  std::optional<CostEvaluation> cost;
  if (costs) cost = evaluate_costs(*costs, model, probability, y, weights);
  if (file) {
    file->write(json_text(Evaluation{metrics, confusion, cost, arguments.model_path, arguments.data.text()},
                          model.names()));
    file->commit();
  }
  say(metrics_table(metrics));
  if (cost) say("\n" + cost_text(*cost, model));
  if (arguments.confusion) say("\n" + confusion_text(confusion));
}

}  // namespace

Command add_eval(CLI::App& program) {
  CLI::App* parser = program.add_subcommand(
      "eval",
      "Evaluate a model on labelled data.\n\n"
      "accuracy: share of correct labels. nll: mean negative log-likelihood in nats; use it to compare "
      "models. brier: mean squared error of the probability. ece: expected calibration error. auc: area "
      "under the ROC curve. n: number of rows. With three or more classes, brier is the sum over classes (0 "
      "to 2), ece is for the probability of the predicted class, and auc is the mean over classes, each "
      "against all others; classes without rows do not count. Of ordered classes also rps: ranked "
      "probability "
      "score (0 to 1), and level error: mean number of levels between the predicted and the true class.");
  auto arguments = std::make_shared<EvalArguments>();
  add_model(*parser, arguments->model_path);
  add_data(
      *parser, arguments->data,
      "CSV: the label column, by name or by index from 0. Default: the label column of the training data.");
  add_counts(*parser, arguments->data);
  add_drop(*parser, arguments->data);
  add_threads(*parser, arguments->threads);
  add_option(*parser, group::output, "--json", "OUT", arguments->json_path,
             "Also write the metrics to this file, as JSON.");
  add_flag(*parser, group::output, "--confusion", arguments->confusion,
           "Also print how many rows of each class (a line) are predicted as each class (a column), a dot "
           "for none; with more than 30 classes, the pairs that are confused most. Default: off; --json "
           "always has the matrix.");
  add_cost(*parser, arguments->cost,
           "Prints the cost per row of the labels that `induce predict` would choose, what others would cost "
           "and, for two classes, the cost at some thresholds. Default: none.");
  parser->footer(R"(Examples:
  induce eval my.model test.csv
  induce eval my.model test.csv --confusion
  induce eval my.model test.csv --trials n
  induce eval my.model 'parts/test-*.csv.gz'
  induce eval my.model test.csv --cost '{"fraud": {"ok": 100}, "ok": {"fraud": 4}}'
  induce eval my.model test.csv --json metrics.json)");
  return {parser, [parser, arguments] { run_eval(*parser, *arguments); }};
}

}  // namespace induce::cli
