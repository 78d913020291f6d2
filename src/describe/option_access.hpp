// Accessors that convert members of Options to and from OptionValue.
#pragma once

#include <concepts>
#include <utility>

#include "describe/option_table.hpp"

namespace induce::detail::access {

inline OptionValue to_value(bool value) { return value; }
inline OptionValue to_value(double value) { return value; }
inline OptionValue to_value(const std::string& value) { return value; }
inline OptionValue to_value(std::integral auto value) {
  if (std::cmp_less(value, 0))
    return std::to_string(value);  // a string, which the check of whole numbers rejects
  return static_cast<std::uint64_t>(value);
}
inline OptionValue to_value(const Start& start) {
  return std::vector<std::optional<double>>{start.signal_std, start.lengthscale, start.noise_std};
}
template <class Value>
OptionValue to_value(const std::optional<Value>& value) {
  return value ? to_value(*value) : OptionValue();
}

inline void from_value(bool& member, const OptionValue& value) { member = std::get<bool>(value); }
inline void from_value(double& member, const OptionValue& value) { member = std::get<double>(value); }
inline void from_value(std::string& member, const OptionValue& value) {
  member = std::get<std::string>(value);
}
template <std::integral Whole>
void from_value(Whole& member, const OptionValue& value) {
  member = static_cast<Whole>(std::get<std::uint64_t>(value));
}
inline void from_value(Start& member, const OptionValue& value) {
  if (std::holds_alternative<std::monostate>(value)) return void(member = {});
  const auto& parts = std::get<std::vector<std::optional<double>>>(value);
  member = {parts.at(0), parts.at(1), parts.at(2)};
}
template <class Value>
void from_value(std::optional<Value>& member, const OptionValue& value) {
  member.reset();
  if (!std::holds_alternative<std::monostate>(value)) from_value(member.emplace(), value);
}

template <auto member>
inline constexpr OptionMember plain{
    [](const Options& options) { return to_value(options.*member); },
    [](Options& options, const OptionValue& value) { from_value(options.*member, value); }};

// A member whose default means "the library chooses".
template <auto member>
inline constexpr OptionMember or_unset{
    [](const Options& options) {
      return options.*member == Options().*member ? OptionValue() : to_value(options.*member);
    },
    [](Options& options, const OptionValue& value) {
      if (std::holds_alternative<std::monostate>(value))
        options.*member = Options().*member;
      else
        from_value(options.*member, value);
    }};

// An enumeration by its names.
template <auto member, auto from_name>
inline constexpr OptionMember by_name{
    [](const Options& options) { return OptionValue(std::string(name_of(options.*member))); },
    [](Options& options, const OptionValue& value) {
      options.*member = from_name(std::get<std::string>(value));
    }};

}  // namespace induce::detail::access
