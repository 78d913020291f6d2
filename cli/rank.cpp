// `induce rank`: which rows of a pool to label next.
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include <induce/error.hpp>
#include <induce/rank.hpp>

#include "arguments.hpp"
#include "commands.hpp"
#include "data.hpp"
#include "output.hpp"
#include "row_writer.hpp"
#include "stream.hpp"

namespace induce::cli {
namespace {

struct RankArguments {
  std::string model_path;
  DataArguments data;
  std::string output_path, cost;
  RankOptions options;
};

// The ids of rows that may still be chosen.
class KeptIds {
 public:
  void add(const PoolRanking& ranking, const RowBatch& batch, std::size_t rows) {
    name_ = batch.id_name;
    std::map<std::size_t, std::string> still;
    for (const std::size_t row : ranking.candidates()) {
      if (row >= rows_)
        still[row] = batch.ids[row - rows_];
      else
        still[row] = std::move(ids_[row]);
    }
    ids_ = std::move(still);
    rows_ += rows;
  }
  const std::string& name() const { return name_; }
  const std::string& operator[](std::size_t row) const { return ids_.at(row); }

 private:
  std::string name_;
  std::map<std::size_t, std::string> ids_;
  std::size_t rows_ = 0;
};

void write(const std::vector<RankedRow>& chosen, const Model& model, const KeptIds* ids,
           const std::string& path, const RowWriter::Put& put) {
  std::vector<std::string> columns{"row", "gain", "information", "novelty", "random"};
  if (ids) columns.insert(columns.begin(), ids->name());
  for (const std::string& name : model.names().classes) columns.push_back("p_" + name);
  RowWriter rows(path, columns, put);
  for (const RankedRow& each : chosen) {
    if (ids) rows.add_encoded(rows.encoded((*ids)[each.row]));
    rows.add(static_cast<double>(each.row));
    rows.add(each.gain);
    rows.add(each.information);
    rows.add(each.novelty);
    rows.add(each.random ? 1 : 0);
    for (const double p : each.probabilities) rows.add(p);
    rows.end_row();
  }
  rows.finish();
}

void run_rank(const CLI::App& parser, const RankArguments& arguments) {
  const std::vector<std::string> files = arguments.data.files();
  check_all_different(files, {{"MODEL", arguments.model_path}, {"--output", arguments.output_path}});
  check_output_format(arguments.output_path);
  std::optional<OutputFile> file;
  if (parser.count("--output")) file.emplace("--output", arguments.output_path);

  const Model model = Model::load(arguments.model_path);
  ReadOptions how = read_options(arguments.data, arguments.options.threads);
  expect(how, model.names(), model.features());
  how.labels_required = false;
  how.ignore_labels = true;
  if (!arguments.cost.empty()) {  // it is read as weights are
    how.weight = arguments.cost;
    how.weight_word = "cost";
    how.weights_required = true;
    how.ignore_weights = false;
  }
  PoolRanking ranking(model, arguments.options);
  KeptIds ids;
  bool with_ids = false;
  read_in_batches(model, files, how, [&](const RowBatch& batch) {
    batch.sparse ? ranking.add(*batch.sparse, batch.weight) : ranking.add(batch.X, batch.weight);
    with_ids = with_ids || !batch.ids.empty();
    if (with_ids) ids.add(ranking, batch, batch.ids.size());
  });
  write(ranking.choose(), model, with_ids ? &ids : nullptr, arguments.output_path,
        [&](std::string_view text) { file ? file->write(text) : void(std::cout << text); });
  if (file) file->commit();
}

}  // namespace

Command add_rank(CLI::App& program) {
  CLI::App* parser = program.add_subcommand(
      "rank",
      "Say which rows of a pool should be labelled next.\n\n"
      "Writes the rows of DATA whose labels are expected to improve the model most, the first one first: the "
      "--id column; row, its number from 0; gain, by how much its label is expected to lower the mean "
      "negative "
      "log-likelihood of DATA, and information, what it is expected to tell about the row itself, both in "
      "nats "
      "and beyond the labels of the rows before it and of the random rows; novelty, from 0 to 1: how unlike "
      "all training rows it is; random, 1 if it was drawn at random; and p_<class> for each class. A row "
      "like "
      "one that is chosen already gains little more, so the rows are not all alike. DATA needs no labels; if "
      "it has any, they are ignored.");
  auto arguments = std::make_shared<RankArguments>();
  add_model(*parser, arguments->model_path);
  add_data(*parser, arguments->data,
           "CSV: the label column to ignore, if any, by name or by index from 0. Default: the label column "
           "of the training data.");
  add_drop(*parser, arguments->data);
  add_column(*parser, "--id", arguments->data.id,
             "CSV: copy this column, by name or by index from 0, to the first column of the output.");
  add_column(*parser, "--cost", arguments->cost,
             "CSV: what it costs to label each row, by name or by index from 0; numbers greater than 0. Rows "
             "are then chosen by gain per cost. Default: none, and all rows cost the same.");
  add_option(*parser, "Choice", "-n,--rows", "N", arguments->options.rows,
             "How many rows to choose, at most 5000, with more than four classes at most 20,000 divided by "
             "their number. It takes seconds for hundreds of rows, minutes for thousands. Default: 50.")
      ->check(whole_number(1));
  add_option(*parser, "Choice", "--random", "SHARE", arguments->options.random_share,
             "The share of these rows that is drawn from all of DATA at random, so that the model is also "
             "tested where it is sure. Default: 0.1.")
      ->check(accepts("a number from 0 to 1", [](const std::string& text) {
        const auto value = parsed<double>(text);
        return value && *value >= 0 && *value <= 1;
      }));
  add_option(*parser, "Choice", "--seed", "SEED", arguments->options.seed, "Seed of this draw. Default: 0.")
      ->check(whole_number(0));
  add_threads(*parser, arguments->options.threads);
  add_option(*parser, group::output, "-o,--output", "OUT", arguments->output_path,
             "Write to this file: JSON lines if its name ends in .jsonl, .ndjson or .json, otherwise CSV. "
             "Default: CSV to standard output.");
  parser->footer(R"(Examples:
  induce rank my.model pool.csv -n 20 --id customer
  induce rank my.model pool.csv --cost minutes -o label_next.csv)");
  return {parser, [parser, arguments] { run_rank(*parser, *arguments); }};
}

}  // namespace induce::cli
