// Parses a JSON object of lists of strings, {"name": ["text", ...], ...} or {"name": "text", ...}, from an
// untrusted source.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace induce::detail {

using TextLists = std::map<std::string, std::vector<std::string>>;

// A name that the object may have.
struct KnownList {
  std::string_view name;
  bool is_list, required;
  std::size_t most;  // texts
};

// Throws a JsonFault on anything else, including a duplicate name. Without `known` any name may be either, but no list is empty.
TextLists json_lists(std::string_view text, std::span<const KnownList> known = {});

}  // namespace induce::detail
