// Option values: their limits and their texts. Every Error names the option, its value and the limit.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include "describe/option_table.hpp"

namespace induce::detail {

// "a whole number of at least 1", "one of: auto, none, yeo-johnson"; does not mention the unset value.
std::string limit_of(const OptionEntry& entry);

// Whether the value is of the entry's kind and in range. Does not check whether a name is known.
bool is_within_limits(const OptionEntry& entry, const OptionValue& value);

// Throws an Error unless `value` is within the limits and, if it is a name, known.
void check_value(const OptionEntry& entry, const OptionValue& value);

// Throws an Error unless every option and their combination are valid for data with this many rows.
void check_options(const Options& options, std::size_t rows);

// With all digits: two texts are equal if and only if the values are.
std::string text_of(const OptionValue& value);

// Parses a value within the entry's limits; throws an Error that names the text and the limit. Flags are "true" or "false".
OptionValue read_option(const OptionEntry& entry, std::string_view text);

// Every option that the result depends on, as text: the identity of a fit in its checkpoint.
std::map<std::string, std::string> identity_of(const Options& options);

}  // namespace induce::detail
