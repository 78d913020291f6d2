// Options as text: read from a command line, noted in a checkpoint.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "describe/option_table.hpp"

namespace induce {

// All digits, so that two texts are the same if and only if the values are.
std::string text_of(const OptionValue& value);

// The value that `text` stands for, within the entry's limits; throws an Error that names text and limit.
// A flag's is "true" or "false".
OptionValue read_option(const OptionEntry& entry, std::string_view text);

// Every option that the bits of the result depend on.
std::map<std::string, std::string> identity_of(const Options& options);

}  // namespace induce
