// Numbers are parsed with from_chars: independent of the locale, and the whole text must match.
#include "arguments.hpp"

#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

#include <induce/error.hpp>

#include "describe/option_text.hpp"
#include "file/file_list.hpp"

namespace induce::cli {
namespace {

template <typename Number>
std::optional<Number> parse(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

std::string limits(std::int64_t lowest, std::int64_t highest) {
  std::string text = "a whole number of at least " + std::to_string(lowest);
  if (highest != std::numeric_limits<std::int64_t>::max()) text += " and at most " + std::to_string(highest);
  return text;
}

std::string not_valid(const std::string& value, const std::string& expected) {
  return "'" + value + "' is not " + expected;
}

CLI::Validator delimiter() {
  return {[](std::string& text) -> std::string {
            if (text == "\\t") text = "tab";
            const bool fits =
                text.size() == 1 && text.find_first_of("\"\r\n+-.0123456789") == std::string::npos;
            return fits || text == "tab" ? "" : not_valid(text, "one character that no number has, or tab");
          },
          ""};
}

std::string& command_text() {
  static std::string text;
  return text;
}

}  // namespace

CLI::Validator whole_number(std::int64_t lowest, std::int64_t highest) {
  return {[=](std::string& text) -> std::string {
            const auto value = parse<std::int64_t>(text);
            return value && *value >= lowest && *value <= highest ? ""
                                                                  : not_valid(text, limits(lowest, highest));
          },
          ""};
}

CLI::Validator open_fraction() {
  return {[](std::string& text) -> std::string {
            const auto value = parse<double>(text);
            return value && *value > 0 && *value < 1
                       ? ""
                       : not_valid(text, "a number greater than 0 and less than 1");
          },
          ""};
}

CLI::Validator one_of(std::vector<std::string> words) {
  return {[words](std::string& text) -> std::string {
            std::string known;
            for (const std::string& word : words) {
              if (word == text) return "";
              known += (known.empty() ? "" : ", ") + word;
            }
            return not_valid(text, "one of: " + known);
          },
          ""};
}

void add_threads(CLI::App& parser, int& threads) {
  const OptionEntry& entry = option_entry("threads");
  parser.add_option(std::string(entry.flag), threads, help_of(entry))
      ->option_text(std::string(entry.metavar))
      ->check(value_of(entry))
      ->group(group::budget);
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
      .add_option(
          "DATA", data.given,
          "CSV or LIBSVM files with the same columns, optionally compressed (.gz, .bz2 or .xz); a folder: "
          "all files in it except those whose names start with . or _; a pattern in quotes: 'part-*.csv'; "
          "- reads standard input.")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->required();
  parser
      .add_option("--format", data.format,
                  "Data format: auto, csv or libsvm. Default: auto, detected from the contents.")
      ->option_text("F")
      ->check(one_of({"auto", "csv", "libsvm"}))
      ->group(group::data);
  parser
      .add_option("--encoding", data.encoding,
                  "Encoding of the text: auto, utf-8, latin-1 (also Windows-1252) or utf-16. Default: auto, "
                  "UTF-8 unless the first bytes say UTF-16.")
      ->option_text("E")
      ->check(one_of({"auto", "utf-8", "latin-1", "utf-16"}))
      ->group(group::data);
  parser
      .add_option("--delimiter", data.delimiter,
                  "CSV: the character between columns, or tab. Default: a tab, semicolon or | that the first "
                  "row has, otherwise a comma.")
      ->option_text("CHAR")
      ->check(delimiter())
      ->group(group::data);
  parser
      .add_option(
          "--dates", data.dates,
          "CSV: day-first or month-first, for dates such as 01/02/2022. Default: found from all dates of "
          "a column; an error if they leave it open.")
      ->option_text("ORDER")
      ->check(one_of({"day-first", "month-first"}))
      ->group(group::data);
  parser.add_option("--label", data.label, label_help)->option_text("COLUMN")->group(group::data);
}

std::vector<std::string> DataArguments::files() const { return list_files(given); }

std::string DataArguments::text() const {
  std::string all;
  for (const std::string& each : given) all += (all.empty() ? "" : " ") + each;
  return all;
}

void add_columns(CLI::App& parser, const std::string& flag, std::vector<std::string>& columns,
                 const std::string& help) {
  parser.add_option(flag, columns, help + " May be given several times.")
      ->option_text("COLUMN")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->group(group::data);
}

void add_drop(CLI::App& parser, DataArguments& data) {
  add_columns(
      parser, "--drop", data.drop,
      "CSV: a column to leave out, by name or by index from 0. With a header it is not needed: columns "
      "that the model does not use are ignored.");
}

}  // namespace induce::cli
