// See arguments.hpp. Numbers are read with from_chars: whole text or nothing, no locale, no surprise
// from "1e400" or "nan".
#include "arguments.hpp"

#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

#include <induce/error.hpp>

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

std::string refuse(const std::string& value, const std::string& wanted) {
  return "'" + value + "' is not " + wanted;
}

}  // namespace

CLI::Validator whole_number(std::int64_t lowest, std::int64_t highest) {
  return {[=](std::string& text) -> std::string {
            const auto value = parse<std::int64_t>(text);
            return value && *value >= lowest && *value <= highest ? ""
                                                                  : refuse(text, limits(lowest, highest));
          },
          ""};
}

CLI::Validator whole_number_or_auto(std::int64_t lowest) {
  return {[=](std::string& text) -> std::string {
            if (text == "auto") return "";
            const auto value = parse<std::int64_t>(text);
            const std::string wanted =
                "'auto' or " + limits(lowest, std::numeric_limits<std::int64_t>::max());
            return value && *value >= lowest ? "" : refuse(text, wanted);
          },
          ""};
}

CLI::Validator positive_number() {
  return {[](std::string& text) -> std::string {
            const auto value = parse<double>(text);
            return value && std::isfinite(*value) && *value > 0 ? ""
                                                                : refuse(text, "a number greater than 0");
          },
          ""};
}

CLI::Validator not_negative() {
  return {[](std::string& text) -> std::string {
            const auto value = parse<double>(text);
            return value && std::isfinite(*value) && *value >= 0 ? "" : refuse(text, "a number from 0 up");
          },
          ""};
}

CLI::Validator open_fraction() {
  return {[](std::string& text) -> std::string {
            const auto value = parse<double>(text);
            return value && *value > 0 && *value < 1
                       ? ""
                       : refuse(text, "a number greater than 0 and less than 1");
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
            return refuse(text, "one of: " + known);
          },
          ""};
}

std::vector<double> positive_list(const std::string& argument, const std::string& text, std::size_t count) {
  std::vector<double> values;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const auto value = parse<double>(std::string_view(text).substr(begin, end - begin));
    if (!value || !std::isfinite(*value) || *value <= 0) break;
    values.push_back(*value);
    begin = end + 1;
    if (end == text.size() && values.size() == count) return values;
  }
  throw usage_error(argument + ": " +
                    refuse(text, std::to_string(count) + " numbers greater than 0 with commas between"));
}

void add_threads(CLI::App& parser, int& threads) {
  parser
      .add_option("--threads", threads,
                  "Threads to use; 0, the default: all cores that this process may use.")
      ->option_text("T")
      ->check(whole_number(0, 4096))
      ->group(group::budget);
}

void add_data(CLI::App& parser, DataArguments& data, const std::string& label_help) {
  parser.add_option("DATA", data.path, "CSV or LIBSVM text, plain or packed as .gz, .bz2 or .xz.")
      ->required();
  parser
      .add_option("--format", data.format,
                  "How to read the data: auto (the default: look at the text), csv or libsvm.")
      ->option_text("F")
      ->check(one_of({"auto", "csv", "libsvm"}))
      ->group(group::data);
  parser.add_option("--label", data.label, label_help)->option_text("COLUMN")->group(group::data);
}

}  // namespace induce::cli
