// LIBSVM text ("label index:value index:value ... # comment") to a dense table of numbers.
#pragma once

#include <string_view>

#include "io/lines.hpp"
#include "io/read_options.hpp"

namespace induce {

// Throws a ParseFault.
ParsedTable parse_libsvm(std::string_view text, const ReadOptions& options);

// What a line says about its file: yes if its first or second token is a pair index:value, no if it has
// tokens and neither is, unsure if it has only one token (a row of zeros, perhaps) or none.
enum class Looks { like_libsvm, like_csv, unsure };
Looks looks_of_line(std::string_view line);

}  // namespace induce
