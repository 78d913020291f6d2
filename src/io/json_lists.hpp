// A JSON object of lists of texts, {"name": ["text", ...], ...} or {"name": "text", ...}, from a stranger.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace induce {

using TextLists = std::map<std::string, std::vector<std::string>>;

// Anything else in the text throws a JsonFault, and so does an empty list or a name that comes twice.
TextLists json_lists(std::string_view text);

}  // namespace induce
