// `induce report`: a page about a model for people.
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>

#include <CLI/CLI.hpp>

#include <induce/error.hpp>
#include <induce/model.hpp>
#include <induce/page.hpp>

#include "arguments.hpp"
#include "commands.hpp"
#include "costs.hpp"
#include "data.hpp"
#include "read/read.hpp"
#include "output.hpp"
#include "text/format.hpp"

namespace induce::cli {
namespace {

struct ReportArguments {
  std::string model_path;
  DataArguments data;
  std::string output_path, summary_path, cost;
  bool held_out = false, rows = false;
  int threads = 0;
};

FitFacts facts_of(const std::string& path, const Model& model) {
  if (path.empty()) return {};
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file || !text) throw data_error("--summary: '" + path + "' cannot be read");
  try {
    return fit_facts(text.str(), model);
  } catch (const Error& error) {
    throw data_error("--summary: '" + path + "': " + error.what());
  }
}

std::string name_of_file(const std::string& path) {
  return path == "-" ? "standard input" : path.substr(path.find_last_of('/') + 1);
}

void run_report(const CLI::App& parser, const ReportArguments& arguments) {
  const std::vector<std::string> files =
      arguments.data.given.empty() ? std::vector<std::string>() : arguments.data.files();
  check_all_different(files, {{"MODEL", arguments.model_path},
                              {"--summary", arguments.summary_path},
                              {"--output", arguments.output_path}});
  for (const char* flag : {"--held-out", "--rows", "--cost"})
    if (parser.count(flag) && files.empty())
      throw usage_error(std::string(flag) + " is about the rows of DATA: give DATA");
  OutputFile file("--output", arguments.output_path);
  const Model model = Model::load(arguments.model_path);
  const FitFacts fit = facts_of(arguments.summary_path, model);
  const std::optional<Costs> costs = read_costs(arguments.cost, model);
  Dataset data;
  PageRows rows;
  if (!files.empty()) {
    ReadOptions how = read_options(arguments.data, arguments.threads);
    expect(how, model.names(), model.features());
    data = read_dataset(files, how);
    show_warnings(data);
    if (!data.sparse) {
      warn_of_new_gaps(model.rows_with_new_gaps(data.view()));
      warn_of_far_values(model, model.rows_far_outside(data.view()));
    }
    rows = {.y = data.y,
            .source = files.size() == 1 ? name_of_file(files[0]) : std::to_string(files.size()) + " files",
            .held_out = arguments.held_out,
            .values = arguments.rows,
            .costs = costs.value_or(Costs())};
    if (data.sparse)
      rows.sparse = data.sparse->view();
    else
      rows.X = data.view();
  }
  const std::string page = html_page(model, rows, fit, arguments.threads);
  file.write(page);
  file.commit();
  std::cout << "report  " << arguments.output_path << " (" << grouped((page.size() + 999) / 1000) << " kB)\n";
}

}  // namespace

Command add_report(CLI::App& program) {
  CLI::App* parser = program.add_subcommand(
      "report",
      "Write a report about a model, for people.\n\n"
      "One HTML file that needs no network: what was learned from what, how good it is on DATA with "
      "intervals, whether its probabilities can be trusted, what each feature and the strongest pairs do, "
      "where the model is unsure, and a what-if: set a row, see its probability. At most 1.5 MB; the same "
      "bytes for the same input. It contains no rows of DATA unless --rows is given.");
  auto arguments = std::make_shared<ReportArguments>();
  add_model(*parser, arguments->model_path);
  add_data(
      *parser, arguments->data,
      "CSV: the label column, by name or by index from 0. Default: the label column of the training data.");
  parser->get_option("DATA")->required(false)->description(
      "Labelled rows to test the model on: a CSV or LIBSVM file, optionally compressed. Use rows that were "
      "not used for training. Default: none; the only figures of quality are then those of --summary.");
  add_drop(*parser, arguments->data);
  add_flag(*parser, group::data, "--held-out", arguments->held_out,
           "DATA was not used for training: call its rows held-out. Default: off; the page says that figures "
           "on training rows are too good.");
  add_option(*parser, group::data, "--summary", "FIT.json", arguments->summary_path,
             "The JSON that `induce fit --json` wrote: adds training rows, class counts, time, choices and "
             "leave-one-out, which a model file does not keep.");
  add_threads(*parser, arguments->threads);
  add_option(*parser, group::output, "-o,--output", "REPORT.html", arguments->output_path,
             "Write the page to this file.")
      ->required();
  add_flag(*parser, group::output, "--rows", arguments->rows,
           "Show the values of the most surprising rows of DATA, and offer them in the what-if. Default: "
           "off; their numbers only.");
  add_cost(*parser, arguments->cost,
           "The page then says which label is chosen by least cost, and what decisions on DATA cost; for two "
           "classes, at each threshold. Default: none.");
  parser->footer(R"(Examples:
  induce report my.model test.csv --held-out -o report.html
  induce report my.model -o report.html
  induce report my.model test.csv --cost costs.json -o report.html
  induce report my.model test.csv --held-out --rows --summary fit.json -o report.html)");
  return {parser, [parser, arguments] { run_report(*parser, *arguments); }};
}

}  // namespace induce::cli
