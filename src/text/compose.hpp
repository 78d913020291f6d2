// Texts made of texts.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace induce::detail {

// All words but the empty ones.
std::string joined(const std::vector<std::string>& words, std::string_view between = ", ");

// A frame with its places, @NAME@, filled. What is put in is not searched for places again. A place without a value throws
// std::logic_error.
std::string filled(std::string_view frame,
                   std::initializer_list<std::pair<std::string_view, std::string>> values);

}  // namespace induce::detail
