// See libsvm_lines.hpp.
#include "read/libsvm_lines.hpp"

namespace induce::detail::libsvm {

void refuse_pair(std::string_view token) {
  const std::size_t colon = token.find(':');
  if (colon == std::string_view::npos)
    throw ParseFault{token.data(), in_quotes(token) + " is not a pair index:value"};
  const std::string_view index = token.substr(0, colon);
  if (index.empty() || index.find_first_not_of("0123456789") != std::string_view::npos || index.size() > 18)
    throw ParseFault{token.data(), "the index " + in_quotes(index) + " in " + in_quotes(token) +
                                       " is not a positive integer"};
  throw ParseFault{token.data(),
                   "index " + std::string(index) + ": " + why_not_a_number(token.substr(colon + 1))};
}

}  // namespace induce::detail::libsvm
