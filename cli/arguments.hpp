// Validators whose messages state the value and the limit, the option groups of `--help`, and options that
// several subcommands share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "internals.hpp"
#include "describe/option_table.hpp"

namespace induce::cli {

namespace group {
inline constexpr const char* data = "Data";
inline constexpr const char* budget = "Budget";
inline constexpr const char* output = "Output";
}  // namespace group

// An option with a value, or a flag, in a group of the help page.
template <class Value>
CLI::Option* add_option(CLI::App& parser, const char* group, const std::string& flag,
                        const std::string& metavar, Value& value, const std::string& help) {
  return parser.add_option(flag, value, help)->option_text(metavar)->group(group);
}
inline CLI::Option* add_flag(CLI::App& parser, const char* group, const std::string& flag, bool& value,
                             const std::string& help) {
  return parser.add_flag(flag, value, help)->group(group);
}

// Accepts texts that `fits` accepts; it may change them. `expected` follows "'x' is not".
template <class Fits>
CLI::Validator accepts(const std::string& expected, const Fits& fits) {
  return {[=](std::string& text) {
            const std::string given = text;  // NOLINT(performance-unnecessary-copy-initialization)
            return fits(text) ? "" : "'" + given + "' is not " + expected;
          },
          ""};
}
CLI::Validator whole_number(std::int64_t lowest,
                            std::int64_t highest = std::numeric_limits<std::int64_t>::max());
CLI::Validator open_fraction();  // 0 < value < 1
CLI::Validator one_of(const std::vector<std::string>& words);

// Help text and validator for an entry of the option table.
std::string help_of(const OptionEntry& entry);
CLI::Validator value_of(const OptionEntry& entry);

void add_model(CLI::App& parser, std::string& path);
void add_threads(CLI::App& parser, int& threads);

// DATA and how to read it.
struct DataArguments {
  std::vector<std::string> given;  // files, folders and patterns
  std::string format = "auto", encoding = "auto", delimiter, dates;
  std::string label, trials;
  bool shares = false;
  std::vector<std::string> categorical, numeric, drop, only;
  std::string id;

  std::vector<std::string> files() const;  // see file/file_list.hpp
  std::string text() const;                // as given, with blanks between them
};
// What the user typed, for advice.
void remember_command(int argc, const char* const* argv);
const std::string& typed_command();

void add_data(CLI::App& parser, DataArguments& data, const std::string& label_help);

// An option that takes one column, and may be given once.
void add_column(CLI::App& parser, const std::string& flag, std::string& column, const std::string& help);
// An option that takes a column, and may be given several times.
void add_columns(CLI::App& parser, const std::string& flag, std::vector<std::string>& columns,
                 const std::string& help);
// --trials and --shares.
void add_counts(CLI::App& parser, DataArguments& data);
void check_counts(const CLI::App& parser, const DataArguments& data);
// --drop, for files with more columns than the model has features.
void add_drop(CLI::App& parser, DataArguments& data);

}  // namespace induce::cli
