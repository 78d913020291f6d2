// Options of the library come from the option table (describe/option_table.hpp).
#include "fit_arguments.hpp"

#include <induce/error.hpp>

#include "describe/option_table.hpp"
#include "describe/option_values.hpp"
#include "text/format.hpp"

namespace induce::cli {
namespace {

std::string footer() {
  const Choices& methods = option_entry("method").choices;
  std::string text = "Methods:\n";
  for (const std::string& name : methods.names())
    text += "  " + pad_right(name, 15) + std::string(methods.about(name)) + "\n";
  return text + R"(
Examples:
  induce fit train.csv --label outcome --holdout 0.2 -o my.model
  induce fit train.csv --label outcome --drop name --categorical zip --id customer -o my.model
  induce fit train.svm.xz --test test.svm.xz --method vi-jj-hybrid --inducing 100 --json summary.json
  induce fit train.csv --max-time 60 --trace trace.jsonl -o my.model
  induce fit train.csv -o my.model --checkpoint fit.state
  induce fit --resume fit.state     # continues the fit after a crash

If an option is given more than once, the last one counts; one that takes a single column may be given once.
Ctrl-C (or SIGTERM) stops the fit. The best model so far is written and tested as usual, with status
"interrupted" and exit status 0. A second Ctrl-C quits immediately.)";
}

void add_data_options(CLI::App& parser, FitArguments& arguments) {
  add_data(parser, arguments.data,
           "CSV: the label column, by name or by index from 0 (negative: from the end). Default: the only "
           "column named label, target, class, y or outcome; without a header, the last one. Labels are "
           "numbers or words: 2 to 1000 different ones. Rows without a label are left out.");
  add_option(parser, group::data, "--order", "A,B,C", arguments.order,
             "With --likelihood ordinal: all labels, from the lowest to the highest. Default: the order of "
             "numbers; labels that are texts have no other.");
  add_columns(
      parser, "--categorical", arguments.data.categorical,
      "CSV: a column, given like --label, whose values are categories although they look like numbers.");
  add_columns(parser, "--numeric", arguments.data.numeric,
              "CSV: a column of numbers; any other text in it is an error. Default: the kind of each column "
              "is found from its values.");
  add_columns(parser, "--drop", arguments.data.drop, "CSV: a column to leave out.");
  add_columns(parser, "--only", arguments.data.only, "CSV: a column to use; all others are left out.");
  add_column(
      parser, "--id", arguments.data.id,
      "CSV: the column that identifies rows; it is not used as a feature. `induce predict --id` copies it.");
  add_counts(parser, arguments.data);
  add_column(parser, "--weight", arguments.weight,
             "CSV: the column of row weights, given like --label; it is not used as a feature. Weights must "
             "be at least 0; a row of weight 2 counts as two rows. The column is optional in other files and "
             "ignored there: test metrics are unweighted. Default: every row has weight 1.");
  add_column(
      parser, "--group", arguments.group,
      "CSV: the column that says which rows belong together, such as a person, by name or by index from "
      "0; it is not used as a feature. Whatever the fit holds out to choose and to judge, rows of one "
      "group are on one side; so does --holdout. Default: each row is on its own.");
  add_column(parser, "--time", arguments.time,
             "CSV: the column of times, numbers or dates, given like --group; it is not used as a feature. "
             "Rows that are held out are the latest ones, also those of --holdout. Not with --group.");
  add_option(parser, group::data, "--scratch", "FOLDER", arguments.scratch,
             "A folder for a table that does not fit in memory (see --memory): its rows are kept there in "
             "files without names while the fit runs. Default: the folder of the model.");
  add_flag(
      parser, group::data, "--balanced", arguments.balanced,
      "Give the probabilities that would hold if all classes were equally frequent. The fit is that "
      "without it: then the odds of each class are multiplied by n / (C * rows of the class), C classes. "
      "Cross-validation and leave-one-out are without it. Default: off.");
  add_option(parser, group::data, "--test", "FILE", arguments.test_path,
             "Test the model on this file, read with the classes and columns of DATA. It does not influence "
             "the fit.");
  add_option(parser, group::data, "--holdout", "FRACTION", arguments.holdout,
             "Instead of --test: hold out this fraction of the rows of each class, drawn with --seed, and "
             "test on them. With --group whole groups are drawn; with --time the latest rows are taken.")
      ->check(open_fraction());
  add_option(parser, group::data, "--features", "D", arguments.features,
             "The number of features. LIBSVM files omit zeros, so a training file may have fewer columns "
             "than its test file. Default: the number in the training file.")
      ->check(whole_number(1));
}

CLI::Validator on_or_off() {
  return accepts("on or off", [](const std::string& text) {
    bool value = false;
    return CLI::detail::lexical_cast(text, value);
  });
}

CLI::Validator size_in_bytes() {
  return accepts("a whole number with an optional unit, such as 512MB", [](std::string& text) {
    try {
      return CLI::AsSizeValue(false)(text).empty();
    } catch (const CLI::ValidationError&) {  // its message lists all units
      return false;
    }
  });
}

CLI::Option* add_entry(CLI::App& parser, const OptionEntry& entry) {
  const std::string help = help_of(entry), flag(entry.flag), off(entry.off);
  if (entry.kind == OptionKind::flag) {
    const std::string flags = flag.empty() ? off : off.empty() ? flag : flag + ",!" + off;
    return parser.add_flag(flags, help)->check(on_or_off());
  }
  CLI::Option* option = parser.add_option(flag, help)->option_text(std::string(entry.metavar));
  if (entry.kind == OptionKind::size) option->transform(size_in_bytes());
  return option->check(value_of(entry));
}

void add_table_options(CLI::App& parser, OptionGroup group) {
  for (const OptionEntry& entry : option_table())
    if (entry.group == group && entry.on_command_line())
      add_entry(parser, entry)->group(std::string(name_of(group)));
}

void add_output_options(CLI::App& parser, FitArguments& arguments) {
  add_option(parser, group::output, "-o,--output", "MODEL", arguments.model_path,
             "Write the model to this file, in safetensors format. The file is replaced only once complete.");
  add_option(parser, group::output, "--json", "SUMMARY", arguments.json_path,
             "Write a summary of the fit to this file, as JSON.");
  add_option(parser, group::output, "--trace", "FILE", arguments.trace_path,
             "Write one line of JSON per iteration to this file while the fit runs: seconds (excluding "
             "testing), passes, bound, elbo, test accuracy and nll.");
  add_table_options(parser, OptionGroup::output);
  add_flag(parser, group::output, "--quiet", arguments.quiet, "Print no progress, warnings or summary.");
}

// Null if the option was not given.
const CLI::Option* given_option(const CLI::App& parser, const OptionEntry& entry) {
  const CLI::Option* option = parser.get_option(std::string(entry.first_flag()));
  return option->count() > 0 ? option : nullptr;
}

OptionValue value_of(const OptionEntry& entry, const CLI::Option& option) {
  if (entry.kind != OptionKind::flag) return read_option(entry, option.as<std::string>());
  return option.as<bool>() != entry.flag.empty();
}

// Rejects an option that would have no effect.
void check_needs(const OptionEntry& entry, const Options& options) {
  const auto& [name, value] = entry.needs;
  if (name.empty()) return;
  const OptionEntry& needed = option_entry(name);
  const OptionValue found = needed.get(options);
  const std::string flag(entry.first_flag());
  if (value.empty() && std::holds_alternative<std::monostate>(found))
    throw usage_error(flag + " requires " + std::string(needed.first_flag()));
  if (!value.empty() && text_of(found) != value)
    throw usage_error(flag + " requires " + std::string(needed.first_flag()) + " " + std::string(value) +
                      ", not " + text_of(found));
}

}  // namespace

void add_fit_arguments(CLI::App& parser, FitArguments& arguments) {
  add_data_options(parser, arguments);
  for (const OptionGroup group : {OptionGroup::method, OptionGroup::model, OptionGroup::budget})
    add_table_options(parser, group);
  add_output_options(parser, arguments);
  parser.get_option("DATA")->required(false);  // --resume restores it
  parser.footer(footer());
}

std::string resume_path(const CLI::App& parser) {
  const CLI::Option* option = given_option(parser, option_entry("resume"));
  return option ? option->as<std::string>() : "";
}

Options fit_options(const CLI::App& parser, const FitArguments& arguments) {
  const auto given = [&](const char* name) { return parser.count(name) > 0; };
  if (given("--test") && given("--holdout"))
    throw usage_error("--test and --holdout cannot be used together");
  if (given("--group") && given("--time")) throw usage_error("--group and --time cannot be used together");
  check_counts(parser, arguments.data);

  Options options;
  for (const OptionEntry& entry : option_table()) {
    const CLI::Option* option = entry.on_command_line() ? given_option(parser, entry) : nullptr;
    if (option) entry.set(options, value_of(entry, *option));
  }
  for (const OptionEntry& entry : option_table())
    if (entry.on_command_line() && given_option(parser, entry)) check_needs(entry, options);
  if (given("--order") && options.likelihood != "ordinal")
    throw usage_error("--order requires --likelihood ordinal, not " + options.likelihood);
  return options;
}

}  // namespace induce::cli
