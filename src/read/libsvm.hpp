// LIBSVM text: "label index:value index:value ... # comment". Its chunks are parsed by parse_libsvm (chunk.hpp).
#pragma once

#include <string_view>

namespace induce {

struct ReadPlan;
struct SeenTable;

// Guesses the format of a file from one line: LIBSVM if the first or second token is an index:value pair,
// unknown if there is at most one token (possibly a row of zeros) and no CSV punctuation, otherwise CSV.
enum class LineFormat { libsvm, csv, unknown };
LineFormat line_format(std::string_view line);

// What all rows must have in common. Throw a ParseFault.
void check_all_or_no_labels(const SeenTable& seen);
void check_features(const ReadPlan& plan, const SeenTable& seen);

}  // namespace induce
