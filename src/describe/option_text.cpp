// See option_text.hpp. from_chars parses numbers independently of the locale; the whole text must match, and
// "1e400" and "nan" are rejected.
#include "describe/option_text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <nlohmann/json.hpp>

#include <induce/error.hpp>

#include "describe/option_check.hpp"

namespace induce::detail {
namespace {

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

template <class Number>
std::optional<Number> parse(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

std::optional<double> parse_finite(std::string_view text) {
  const auto value = parse<double>(text);
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
      return as_value(parse<std::uint64_t>(text));
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
