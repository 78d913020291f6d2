// Parses a JSON object of lists of strings, {"name": ["text", ...], ...} or {"name": "text", ...}, from an
// untrusted source.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace induce::detail {

using TextLists = std::map<std::string, std::vector<std::string>>;

// Throws a JsonFault on anything else, including an empty list or a duplicate name.
TextLists json_lists(std::string_view text);

}  // namespace induce::detail
