#include "text/compose.hpp"

#include <algorithm>
#include <stdexcept>

namespace induce::detail {

std::string joined(const std::vector<std::string>& words, std::string_view between) {
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty() && !word.empty()) text += between;
    text += word;
  }
  return text;
}

std::string filled(std::string_view frame,
                   std::initializer_list<std::pair<std::string_view, std::string>> values) {
  std::string out;
  for (std::size_t at = 0; at < frame.size();) {
    const std::size_t open = std::min(frame.find('@', at), frame.size()),
                      close = std::min(frame.find('@', open + 1), frame.size());
    out += frame.substr(at, open - at);
    if (open == frame.size()) break;
    const std::string_view name = frame.substr(open + 1, close - open - 1);
    const auto found =
        std::find_if(values.begin(), values.end(), [&](const auto& value) { return value.first == name; });
    if (found == values.end()) throw std::logic_error("no value for @" + std::string(name) + "@");
    out += found->second;
    at = close + 1;
  }
  return out;
}

}  // namespace induce::detail
