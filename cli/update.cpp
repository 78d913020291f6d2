// `induce update`: new rows enter a model.
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include <induce/error.hpp>
#include <induce/update.hpp>

#include "arguments.hpp"
#include "commands.hpp"
#include "data.hpp"
#include "describe/values.hpp"
#include "file/regular_file.hpp"
#include "model/model_format.hpp"
#include "notes.hpp"
#include "notice.hpp"
#include "output.hpp"
#include "read/read.hpp"
#include "summary.hpp"
#include "summary_json.hpp"
#include "summary_text.hpp"
#include "text/format.hpp"
#include "text/words.hpp"

namespace induce::cli {
namespace {

struct UpdateArguments {
  std::string model_path;
  DataArguments data;
  std::string weight, output_path, json_path;
  UpdateOptions options;
  bool quiet = false;
};

std::string in_nats(double x) { return fixed(x, 4); }

std::string class_lines(const UpdateReport& report, const Names& names) {
  constexpr std::size_t most = 20;
  std::string text = "\n" + pad_left("rows", 12) + pad_left("expected", 12) + pad_left("z", 8) +
                     pad_left("nll", 9) + "   class\n";
  for (std::size_t c = 0; c < std::min(most, report.classes.size()); ++c) {
    const ClassSurprise& each = report.classes[c];
    text += pad_left(readable(each.rows, 9), 12) + pad_left(fixed(each.expected, 1), 12) +
            pad_left(fixed(each.z, 1), 8) + pad_left(each.rows > 0 ? in_nats(each.nll) : "-", 9) + "   " +
            names.classes[c] + "\n";
  }
  if (report.classes.size() > most) text += "   " + grouped(report.classes.size() - most) + " more classes\n";
  return text;
}

std::string column_lines(const UpdateReport& report, const Names& names) {
  if (report.columns.empty()) return "";
  std::string text =
      "\n" + pad_left("shift", 12) + pad_left("before", 12) + pad_left("after", 12) + "   column\n";
  for (const ColumnShift& each : report.columns) {
    const bool date =
        each.what == "mean" && !names.columns.empty() && names.columns[each.column].kind == ColumnKind::date;
    const auto value = [&](double x) { return date ? date_text(std::floor(x)) : readable(x, 4); };
    text += pad_left(fixed(each.shift, 2), 12) + pad_left(value(each.before), 12) +
            pad_left(value(each.after), 12) + "   " + feature_name(names, each.column) +
            (each.what == "mean" ? "" : ": " + each.what) + "\n";
  }
  return text;
}

std::string update_text(const UpdateReport& report, const Names& names) {
  std::string text = summary_line(
      "rows", grouped(report.n) + " learned in " + readable(report.seconds, 3) + " s" +
                  (report.kept < 1 ? "; what was known counts " + readable(report.kept, 3) : ""));
  text += summary_line("surprise", "nll " + in_nats(report.nll) + ", expected " +
                                       in_nats(report.expected_nll) + ", z = " + fixed(report.z, 1));
  text += summary_line("learned", "nll " + in_nats(report.fitted_nll) + " of the same rows now");
  if (report.novel > 0)
    text +=
        summary_line("novel", readable(100 * report.novel, 3) + " % of the rows, nll " +
                                  in_nats(report.novel_nll) + ", expected " + in_nats(report.novel_expected));
  if (report.inputs_added > 0) text += summary_line("inputs added", grouped(report.inputs_added));
  text += summary_line("advice", report.advice + ": " + report.reason);
  return text + class_lines(report, names) + column_lines(report, names);
}

void run_update(const CLI::App& parser, const UpdateArguments& arguments) {
  const std::vector<std::string> files = arguments.data.files();
  check_all_different(files, {{"MODEL", arguments.model_path}, {"--json", arguments.json_path}});
  check_all_different(files, {{"--output", arguments.output_path}, {"--json", arguments.json_path}});
  check_counts(parser, arguments.data);
  std::optional<OutputFile> model_file, json_file;
  if (parser.count("--output")) model_file.emplace("--output", arguments.output_path);
  if (parser.count("--json")) json_file.emplace("--json", arguments.json_path);

  const std::string bytes = regular_file_bytes(arguments.model_path);
  const Model model = read_model(bytes, arguments.model_path);
  ReadOptions how = read_options(arguments.data, arguments.options.threads);
  expect(how, model.names(), model.features());
  how.ignore_weights = false;
  if (how.weight == how.trials) how.weight.clear();  // names have trials as weights if there were no others
  if (!arguments.weight.empty()) {
    how.weight = arguments.weight;
    how.weights_required = true;
  }
  Updater updater(model, arguments.options);
  std::vector<RowsOutside> far(model.features());
  const auto learn = [&](const Dataset& rows) {
    if (rows.sparse) return updater.learn(rows.sparse->view(), rows.y, rows.weights);
    add_rows_outside(far, model.rows_far_outside(rows.view()));
    updater.learn(rows.view(), rows.y, rows.weights);
  };
  const StreamedTable table = stream_rows(files, how, [&](const Dataset& block) {
    block.successes.empty() ? learn(block) : learn(with_classes(block));
  });
  const Update done = updater.finish();
  if (model_file) {
    model_file->write(done.model.to_bytes(notes_of(bytes, arguments.model_path)));
    model_file->commit();
  }
  if (json_file) {
    json_file->write(json_text(UpdateSummary{done.report, model.names(), arguments.model_path,
                                             arguments.data.text(), arguments.output_path},
                               model.names()));
    json_file->commit();
  }
  if (arguments.quiet) return;
  for (const std::string& warning : table.warnings) warn(warning);
  if (done.report.new_gaps > 0)
    warn(counted(done.report.new_gaps, "row") + (done.report.new_gaps == 1 ? " has" : " have") +
         " gaps unlike those of the training data: they were learned with typical values in their place");
  warn_of_far_values(model, far);
  say(update_text(done.report, model.names()));
  if (model_file) say("\n" + summary_line("model", arguments.output_path));
}

}  // namespace

Command add_update(CLI::App& program) {
  CLI::App* parser = program.add_subcommand(
      "update",
      "Learn new rows without a new fit.\n\n"
      "The kernel, the inducing inputs and the scales of the features stay; the new rows enter the posterior "
      "in seconds, as if they had been among the training rows. Prints how surprising the rows were before "
      "they were learned, which columns have moved, and whether to keep, grow or refit the model. Levels "
      "that "
      "the model does not know count as other levels.");
  auto arguments = std::make_shared<UpdateArguments>();
  add_model(*parser, arguments->model_path);
  add_data(
      *parser, arguments->data,
      "CSV: the label column, by name or by index from 0. Default: the label column of the training data.");
  add_counts(*parser, arguments->data);
  add_drop(*parser, arguments->data);
  add_column(*parser, "--weight", arguments->weight,
             "CSV: the column with row weights. Default: the one of the training data, if the file has it.");
  add_option(
      *parser, "Learning", "--forget", "ROWS", arguments->options.forget,
      "A number of new rows after which all that the model knew before counts half. Default: nothing is "
      "forgotten.")
      ->check(accepts("a number of rows greater than 0", [](std::string& text) {
        const auto rows = parsed<double>(text);
        return rows && *rows > 0 && std::isfinite(*rows);
      }));
  add_flag(
      *parser, "Learning", "--grow", arguments->options.grow,
      "Add inducing inputs among rows that are unlike all rows before, at most a tenth of those that there "
      "are, or 10. Default: off.");
  add_threads(*parser, arguments->options.threads);
  add_option(
      *parser, group::output, "-o,--output", "MODEL2", arguments->output_path,
      "Write the updated model to this file, which may be MODEL itself: it is replaced only by a whole "
      "file. Default: nothing is written, and the surprise is printed.");
  add_option(*parser, group::output, "--json", "OUT", arguments->json_path,
             "Also write what was seen to this file, as JSON.");
  add_flag(*parser, group::output, "--quiet", arguments->quiet, "Print nothing but errors. Default: off.");
  parser->footer(R"(Examples:
  induce update my.model today.csv -o my.model
  induce update my.model today.csv --json surprise.json
  induce update my.model today.csv --trials n -o my.model
  induce update my.model today.csv --grow --forget 30000 -o my.model)");
  return {parser, [parser, arguments] { run_update(*parser, *arguments); }};
}

}  // namespace induce::cli
