// Options as text, for the command line and for checkpoints.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "describe/option_table.hpp"

namespace induce::detail {

// With all digits: two texts are equal if and only if the values are.
std::string text_of(const OptionValue& value);

// Parses a value within the entry's limits; throws an Error that names the text and the limit. Flags are
// "true" or "false".
OptionValue read_option(const OptionEntry& entry, std::string_view text);

// Every option that the result depends on.
std::map<std::string, std::string> identity_of(const Options& options);

}  // namespace induce::detail
