#include "describe/option_check.hpp"

#include <algorithm>
#include <cmath>

#include <induce/error.hpp>

#include "describe/option_text.hpp"

namespace induce::detail {
namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

void check_name(const OptionEntry& entry, const std::string& name) {
  if (entry.choices.check) return entry.choices.check(name);
  const std::vector<std::string>& names = entry.choices.names();
  if (std::find(names.begin(), names.end(), name) == names.end())
    throw usage_error("unknown " + std::string(entry.name) + " '" + name + "'; known: " + joined(names));
}

bool within(const Limits& limits, double value) {
  return (limits.positive ? value > 0 : value >= 0) && (std::isfinite(value) || limits.infinite);
}

struct Within {
  const OptionEntry& entry;

  bool operator()(std::monostate) const { return entry.unset.possible(); }
  bool operator()(bool) const { return entry.kind == OptionKind::flag; }
  bool operator()(std::uint64_t value) const {
    return (entry.kind == OptionKind::whole || entry.kind == OptionKind::size) &&
           value >= entry.limits.least && value <= entry.limits.most;
  }
  bool operator()(double value) const {
    return entry.kind == OptionKind::number && within(entry.limits, value);
  }
  bool operator()(const std::string& value) const {
    return entry.kind == OptionKind::choice || (entry.kind == OptionKind::path && !value.empty());
  }
  bool operator()(const std::vector<std::optional<double>>& values) const {
    return entry.kind == OptionKind::numbers && values.size() == entry.parts.size() &&
           std::all_of(values.begin(), values.end(),
                       [](const auto& value) { return !value || within({.positive = true}, *value); });
  }
};

void check_against_rows(const OptionEntry& entry, const OptionValue& value, std::size_t rows) {
  const auto* count = std::get_if<std::uint64_t>(&value);
  if (count && *count > rows)
    throw usage_error(std::string(entry.name) + " = " + std::to_string(*count) +
                      ": must be between 1 and the number of rows, " + std::to_string(rows));
}

}  // namespace

std::string limit_of(const OptionEntry& entry) {
  switch (entry.kind) {
    case OptionKind::choice:
      return entry.choices.names ? "one of: " + joined(entry.choices.names()) : "a name";
    case OptionKind::flag:
      return "on or off";
    case OptionKind::whole:
    case OptionKind::size: {
      const bool bounded = entry.limits.most != Limits().most;
      return "a whole number of at least " + std::to_string(entry.limits.least) +
             (bounded ? " and at most " + std::to_string(entry.limits.most) : "") +
             (entry.limits.rows ? " and at most the number of rows" : "");
    }
    case OptionKind::number:
      return entry.limits.positive ? "a number greater than 0" : "a number of at least 0";
    case OptionKind::numbers:
      return std::to_string(entry.parts.size()) + " numbers greater than 0, separated by commas";
    case OptionKind::path:
      return "the path of a file";
  }
  return "";
}

bool is_within_limits(const OptionEntry& entry, const OptionValue& value) {
  return std::visit(Within{entry}, value);
}

void check_value(const OptionEntry& entry, const OptionValue& value) {
  if (!is_within_limits(entry, value))
    throw usage_error(std::string(entry.name) + " = " + text_of(value) + ": must be " + limit_of(entry));
  if (entry.kind == OptionKind::choice) check_name(entry, std::get<std::string>(value));
}

void check_options(const Options& options, std::size_t rows) {
  for (const OptionEntry& entry : option_table()) {
    const OptionValue value = entry.get(options);
    check_value(entry, value);
    if (entry.limits.rows) check_against_rows(entry, value, rows);
  }
  if (!options.standardize && options.warp == Warp::yeo_johnson)
    throw usage_error("warp = yeo-johnson: standardises the features, but standardize is off");
}

}  // namespace induce::detail
