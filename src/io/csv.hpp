// Parses CSV text into a table of numbers.
#pragma once

#include <string_view>

#include "io/parsed_table.hpp"
#include "io/read_options.hpp"

namespace induce {

// Throws a ParseFault. The labels of the result may still be quoted: see text_of_field.
ParsedTable parse_csv(std::string_view text, const ReadOptions& options);

}  // namespace induce
