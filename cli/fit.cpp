// `induce fit`. Checks all arguments and output paths before the fit. Writes the model before testing it and before
// printing anything, so that a full disk, a closed pipe or a job scheduler cannot cost a model.
#include <memory>
#include <optional>
#include <string>

#include <CLI/CLI.hpp>

#include <induce/fit.hpp>

#include "commands.hpp"
#include "data.hpp"
#include "describe/option_table.hpp"
#include "fit_arguments.hpp"
#include "job_checkpoint.hpp"
#include "notice.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "summary_text.hpp"
#include "resume.hpp"
#include "set_note.hpp"
#include "shards.hpp"
#include "signals.hpp"
#include "summary_json.hpp"
#include "training_data.hpp"

namespace induce::cli {
namespace {

// Checks limits that depend on the number of rows.
void check_against_rows(const Options& options, std::size_t rows) {
  for (const OptionEntry& entry : option_table()) {
    const OptionValue value = entry.get(options);
    const auto* count = std::get_if<std::uint64_t>(&value);
    if (entry.limits.rows && count && *count > rows)
      throw usage_error(std::string(entry.first_flag()) + ": " + std::to_string(*count) +
                        " is more than the number of training rows; must be from 1 to " +
                        std::to_string(rows));
  }
}

// Writes the trace. Stores the first failure instead of throwing: a full disk must not end the fit.
class Tracer {
 public:
  Tracer(const std::string& path, const std::optional<Dataset>& test, int threads)
      : file_("--trace", path), test_(test), threads_(threads) {}

  void add(const Progress& progress) {
    if (failure_) return;
    std::optional<Metrics> metrics;
    if (test_) metrics = evaluate_on(progress.model(), *test_, threads_);
    try {
      // A resumed fit continues after the line of the iteration that it resumed from.
      file_.write_line(trace_line({progress, metrics}), static_cast<std::size_t>(progress.iteration - 1));
    } catch (const Error& error) {
      failure_ = error;
    }
  }

  void rethrow_failure() const {
    if (failure_) throw *failure_;
  }

 private:
  LiveFile file_;
  const std::optional<Dataset>& test_;
  int threads_;
  std::optional<Error> failure_;
};

constexpr const char* arguments_note = "command_line";

// Takes arguments that are not on the command line from the checkpoint.
void complete_arguments(CLI::App& parser, const FitArguments& arguments) {
  const std::string resume = resume_path(parser);
  if (!resume.empty()) {
    const auto notes = read_checkpoint_notes(resume);
    const auto note = notes.find(arguments_note);
    if (note != notes.end()) restore_arguments(parser, note->second, resume);
  }
  if (arguments.data.given.empty())
    throw usage_error(resume.empty() ? "DATA is required"
                                     : "DATA is required: it is not stored in the checkpoint");
}

void run_fit(CLI::App& parser, const FitArguments& arguments) {
  complete_arguments(parser, arguments);
  Options options = fit_options(parser, arguments);
  options.checkpoint_notes[arguments_note] = note_of_arguments(parser);
  const JobCheckpoint checkpoint(arguments, options);
  const std::vector<std::string> files = arguments.data.files();
  check_all_different(files, {{"--test", arguments.test_path},
                              {"--output", arguments.model_path},
                              {"--json", arguments.json_path},
                              {"--trace", arguments.trace_path},
                              {"--checkpoint", options.checkpoint}});
  check_all_different(files, {{"--resume", options.resume},  // may equal --checkpoint
                              {"--test", arguments.test_path},
                              {"--output", arguments.model_path},
                              {"--json", arguments.json_path},
                              {"--trace", arguments.trace_path}});
  std::optional<OutputFile> model_file, json_file;
  if (parser.count("--output")) model_file.emplace("--output", arguments.model_path);
  if (parser.count("--json")) json_file.emplace("--json", arguments.json_path);
  std::optional<Tracer> tracer;
  ProgressLine line(std::string(name_of(options.method)), arguments.quiet);
  line.show("reading");
  TrainingData data = read_training_data(arguments, options);
  line.clear();
  if (parser.count("--trace")) tracer.emplace(arguments.trace_path, data.test, options.threads);
  check_against_rows(options, data.rows);
  if (arguments.balanced) options.class_weights = balancing_factors(data.class_weights);
  checkpoint.announce(options, arguments.quiet);

  std::optional<StopOnSignal> stop(arguments.quiet);
  line.show("planning");
  options.trace_elbo = tracer.has_value();
  options.on_iteration = [&](const Progress& progress) {
    line.show(progress);
    if (tracer) tracer->add(progress);
    return !stop->requested();
  };
  options.stop = [&] { return stop->requested(); };
  Fit result = fit_data(data, options);
  const std::vector<std::string> warnings = result.report.warnings;
  result.report.warnings.insert(result.report.warnings.begin(), data.train.warnings.begin(),
                                data.train.warnings.end());
  const Report& report = result.report;
  if (model_file) {
    std::map<std::string, std::string> notes{{"rows", std::to_string(report.rows)},
                                             {"options", options_note(options)}};
    if (const std::string thresholds = thresholds_note(report); !thresholds.empty())
      notes.emplace(set_thresholds_note, thresholds);
    model_file->write(result.model.to_bytes(notes));
    model_file->commit();
    if (report.status != Status::interrupted && report.status != Status::failed) checkpoint.remove();
  }
  stop.reset();  // from here on, a signal ends the program immediately

  const Metrics train = evaluate_on(result.model, data.train, options.threads);
  std::optional<Metrics> test;
  if (data.test) test = evaluate_on(result.model, *data.test, options.threads);
  const FitSummary summary{result, options, arguments, data, train, test, calibration_of(report, data, test)};
  if (json_file) {
    json_file->write(json_text(summary, result.model.names()));
    json_file->commit();
  }
  line.clear();

  if (!arguments.quiet) {
    for (const std::string& warning : warnings) warn(warning);
    say(summary_text(summary));
    if (model_file) say(summary_line("model", arguments.model_path));
  }
  if (tracer) tracer->rethrow_failure();
  if (report.status == Status::failed)
    throw data_error("the fit failed: " + report.message + "; the model is from the last valid iteration");
}

}  // namespace

Command add_fit(CLI::App& program) {
  CLI::App* parser = program.add_subcommand(
      "fit",
      "Fit a model to a table with two or more classes.\n\n"
      "Only DATA is required, and --label if no column is called so; the defaults need no tuning. Features "
      "are standardised, inducing inputs start from k-means, and they and the kernel parameters maximise a "
      "lower bound on the evidence. Kernel and warp are chosen by the bound in small tables, in others by "
      "rows that the fit holds out itself. A summary is printed to standard output. The options under Output "
      "write files.");
  auto arguments = std::make_shared<FitArguments>();
  add_fit_arguments(*parser, *arguments);
  return {parser, [parser, arguments] { run_fit(*parser, *arguments); }};
}

}  // namespace induce::cli
