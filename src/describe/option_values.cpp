// See option_values.hpp. Numbers are parsed independently of the locale; the whole text must match, and "1e400" and "nan" are
// rejected.
#include "describe/option_values.hpp"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include <induce/error.hpp>

#include "text/compose.hpp"
#include "text/words.hpp"

namespace induce::detail {
namespace {

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

struct Text {
  std::string operator()(std::monostate) const { return "default"; }
  std::string operator()(bool value) const { return value ? "on" : "off"; }
  std::string operator()(std::uint64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const {
    return std::isfinite(value) ? nlohmann::json(value).dump() : std::to_string(value);
  }
  std::string operator()(const std::string& value) const { return value; }
  std::string operator()(const std::vector<std::optional<double>>& values) const {
    std::string text;
    for (const auto& value : values)
      text += (text.empty() ? "" : ",") + (value ? (*this)(*value) : (*this)(std::monostate()));
    return text;
  }
};

std::optional<double> parse_finite(std::string_view text) {
  const auto value = parsed<double>(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

template <class Value>
std::optional<OptionValue> as_value(const std::optional<Value>& value) {
  return value ? std::optional<OptionValue>(*value) : std::nullopt;
}

std::optional<OptionValue> parse_list(std::string_view text) {
  std::vector<std::optional<double>> values;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    values.push_back(parse_finite(text.substr(begin, end - begin)));
    if (!values.back()) return std::nullopt;
    begin = end + 1;
  }
  return values;
}

std::optional<OptionValue> parse(const OptionEntry& entry, std::string_view text) {
  switch (entry.kind) {
    case OptionKind::flag:
      return text == "true" || text == "false" ? std::optional<OptionValue>(text == "true") : std::nullopt;
    case OptionKind::whole:
    case OptionKind::size:
      return as_value(parsed<std::uint64_t>(text));
    case OptionKind::number:
      return as_value(parse_finite(text));
    case OptionKind::numbers:
      return parse_list(text);
    case OptionKind::choice:
    case OptionKind::path:
      break;
  }
  return std::string(text);
}

}  // namespace

std::string text_of(const OptionValue& value) { return std::visit(Text(), value); }

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

OptionValue read_option(const OptionEntry& entry, std::string_view text) {
  const bool has_word = entry.unset.python == "auto";
  if (has_word && text == "auto") return {};
  if (entry.kind == OptionKind::choice) {
    check_value(entry, std::string(text));  // its Error lists the names
    return std::string(text);
  }
  const std::optional<OptionValue> value = parse(entry, text);
  if (value && is_within_limits(entry, *value)) return *value;
  throw usage_error("'" + std::string(text) + "' is not " + (has_word ? "'auto' or " : "") + limit_of(entry));
}

std::map<std::string, std::string> identity_of(const Options& options) {
  std::map<std::string, std::string> identity;
  for (const OptionEntry& entry : option_table()) {
    if (entry.effect != OptionEffect::result) continue;
    const OptionValue value = entry.get(options);
    const std::string name(entry.name);
    if (const auto* parts = std::get_if<std::vector<std::optional<double>>>(&value)) {
      for (std::size_t k = 0; k < parts->size(); ++k)
        identity[name + "." + std::string(entry.parts[k])] =
            (*parts)[k] ? text_of(OptionValue(*(*parts)[k])) : std::string(entry.unset.checkpoint);
    } else {
      identity[name] = std::holds_alternative<std::monostate>(value) ? std::string(entry.unset.checkpoint)
                                                                     : text_of(value);
    }
  }
  return identity;
}

}  // namespace induce::detail
