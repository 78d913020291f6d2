// Parses LIBSVM text ("label index:value index:value ... # comment") into a table of numbers.
#pragma once

#include <string_view>

#include "read/lines.hpp"
#include "read/parsed_table.hpp"
#include "read/read_options.hpp"

namespace induce::detail {

// Throws a ParseFault.
ParsedTable parse_libsvm(std::string_view text, const ReadOptions& options);

// Guesses the format of a file from one line: LIBSVM if the first or second token is an index:value pair,
// unknown if there is at most one token (possibly a row of zeros) and no CSV punctuation, otherwise CSV.
enum class LineFormat { libsvm, csv, unknown };
LineFormat line_format(std::string_view line);

}  // namespace induce::detail
