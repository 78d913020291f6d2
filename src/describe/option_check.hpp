// Validation of option values. Every Error names the option, its value and the limit.
#pragma once

#include <cstddef>
#include <string>

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

}  // namespace induce::detail
