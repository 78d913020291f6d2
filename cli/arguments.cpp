#include "arguments.hpp"

#include <algorithm>

#include <induce/error.hpp>

#include "describe/option_values.hpp"
#include "file/file_list.hpp"
#include "text/compose.hpp"
#include "text/words.hpp"

namespace induce::cli {
namespace {

CLI::Validator delimiter() {
  return accepts("one character that no number has, or tab", [](std::string& text) {
    if (text == "\\t") text = "tab";
    return text == "tab" ||
           (text.size() == 1 && text.find_first_of("\"\r\n+-.0123456789") == std::string::npos);
  });
}

std::string& command_text() {
  static std::string text;
  return text;
}

}  // namespace

CLI::Validator whole_number(std::int64_t lowest, std::int64_t highest) {
  const bool bounded = highest != std::numeric_limits<std::int64_t>::max();
  return accepts("a whole number of at least " + std::to_string(lowest) +
                     (bounded ? " and at most " + std::to_string(highest) : ""),
                 [=](const std::string& text) {
                   const auto value = parsed<std::int64_t>(text);
                   return value && *value >= lowest && *value <= highest;
                 });
}

CLI::Validator open_fraction() {
  return accepts("a number greater than 0 and less than 1", [](const std::string& text) {
    const auto value = parsed<double>(text);
    return value && *value > 0 && *value < 1;
  });
}

CLI::Validator one_of(const std::vector<std::string>& words) {
  return accepts("one of: " + joined(words), [=](const std::string& text) {
    return std::find(words.begin(), words.end(), text) != words.end();
  });
}

void add_model(CLI::App& parser, std::string& path) {
  parser.add_option("MODEL", path, "A model file written by `induce fit -o MODEL`.")->required();
}

void add_threads(CLI::App& parser, int& threads) {
  const OptionEntry& entry = option_entry("threads");
  add_option(parser, group::budget, std::string(entry.flag), std::string(entry.metavar), threads,
             help_of(entry))
      ->check(value_of(entry));
}

std::string help_of(const OptionEntry& entry) {
  const std::string units = entry.kind == OptionKind::size ? " Units are allowed: 512MB, 2GB." : "";
  return std::string(entry.help) + units + " Default: " + std::string(entry.default_text);
}

CLI::Validator value_of(const OptionEntry& entry) {
  return {[&entry](std::string& text) -> std::string {
            try {
              read_option(entry, text);
            } catch (const Error& error) {
              return error.what();
            }
            return "";
          },
          ""};
}

void remember_command(int argc, const char* const* argv) {
  std::string& text = command_text();
  text = "induce";
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const bool plain =
        !word.empty() && word.find_first_of(" \t\n'\"$&|;<>()*?[]`\\#!~{}") == std::string::npos;
    text += plain ? " " + word : " '" + word + "'";
  }
}
const std::string& typed_command() { return command_text(); }

void add_data(CLI::App& parser, DataArguments& data, const std::string& label_help) {
  parser
      .add_option("DATA", data.given,
                  "CSV or LIBSVM files with the same columns, optionally compressed (.gz, .bz2 or .xz); a "
                  "folder: all files in it except those whose names start with . or _; a pattern in quotes: "
                  "'part-*.csv'; - reads standard input.")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->required();
  add_option(parser, group::data, "--format", "F", data.format,
             "Data format: auto, csv or libsvm. Default: auto, detected from the contents.")
      ->check(one_of({"auto", "csv", "libsvm"}));
  add_option(parser, group::data, "--encoding", "E", data.encoding,
             "Encoding of the text: auto, utf-8, latin-1 (also Windows-1252) or utf-16. Default: auto, UTF-8 "
             "unless the first bytes say UTF-16.")
      ->check(one_of({"auto", "utf-8", "latin-1", "utf-16"}));
  add_option(parser, group::data, "--delimiter", "CHAR", data.delimiter,
             "CSV: the character between columns, or tab. Default: a tab, semicolon or | that the first row "
             "has, otherwise a comma.")
      ->check(delimiter());
  add_option(parser, group::data, "--dates", "ORDER", data.dates,
             "CSV: day-first or month-first, for dates such as 01/02/2022. Default: found from all dates of "
             "a column; an error if they leave it open.")
      ->check(one_of({"day-first", "month-first"}));
  add_column(parser, "--label", data.label, label_help);
}

void add_counts(CLI::App& parser, DataArguments& data) {
  add_column(
      parser, "--trials", data.trials,
      "CSV: the label is the number of successes of the trials in this column, given like --label; it is "
      "not used as a feature. The model predicts the probability of a success, class 1 of 0 and 1. "
      "Metrics are per trial. Default: labels are classes.");
  add_flag(parser, group::data, "--shares", data.shares,
           "The label is a share from 0 to 1: as many successes of one trial. Not with --trials. Default: "
           "off, different numbers are different classes.");
}

void check_counts(const CLI::App& parser, const DataArguments& data) {
  if (parser.count("--trials") && data.shares)
    throw usage_error("--trials and --shares cannot be used together: --weight gives shares weights");
}

std::vector<std::string> DataArguments::files() const { return list_files(given); }

std::string DataArguments::text() const { return joined(given, " "); }

void add_column(CLI::App& parser, const std::string& flag, std::string& column, const std::string& help) {
  add_option(parser, group::data, flag, "COLUMN", column, help)
      ->multi_option_policy(CLI::MultiOptionPolicy::Throw)
      ->check(accepts("a column", [](const std::string& text) { return !text.empty(); }));
}

void add_columns(CLI::App& parser, const std::string& flag, std::vector<std::string>& columns,
                 const std::string& help) {
  add_option(parser, group::data, flag, "COLUMN", columns, help + " May be given several times.")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void add_drop(CLI::App& parser, DataArguments& data) {
  add_columns(parser, "--drop", data.drop,
              "CSV: a column to leave out, by name or by index from 0. With a header it is not needed: "
              "columns that the model does not use are ignored.");
}

}  // namespace induce::cli
