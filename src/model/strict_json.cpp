// See strict_json.hpp.
#include "model/strict_json.hpp"

namespace induce::detail {
namespace {

void check_strings(std::string_view text) {
  std::size_t since_quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i, ++since_quote) {
    if (text[i] == '\\')
      ++i;  // an escaped character never ends a string
    else if (text[i] == '"')
      since_quote = 0;
    if (since_quote > max_json_string)
      throw JsonFault{"has more than " + std::to_string(max_json_string) + " bytes between two quotes"};
  }
}

}  // namespace

void StrictJson::read(std::string_view text) {
  check_strings(text);
  nlohmann::json::sax_parse(text.begin(), text.end(), this);
}

bool StrictJson::parse_error(std::size_t at, const std::string& /*token*/,
                             const nlohmann::detail::exception& /*error*/) {
  throw JsonFault{"is not JSON (at byte " + std::to_string(at) + ")"};
}

}  // namespace induce::detail
