// What the values of options may be. Every Error names the option, its value and the limit.
#pragma once

#include <cstddef>
#include <string>

#include "describe/option_table.hpp"

namespace induce {

// "a whole number of at least 1", "one of: auto, none, yeo-johnson"; what stands for unset is left out.
std::string limit_of(const OptionEntry& entry);

// Of the entry's kind, and no number out of range; whether a name is known is not looked at.
bool is_within_limits(const OptionEntry& entry, const OptionValue& value);

// Throws an Error unless `value` is within the limits and, if it is a name, known.
void check_value(const OptionEntry& entry, const OptionValue& value);

// Throws an Error unless every option, and their combination, is right for data of so many rows.
void check_options(const Options& options, std::size_t rows);

}  // namespace induce
