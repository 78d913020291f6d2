#include "text/words.hpp"

#include <charconv>

namespace induce {

std::string shortest(double value) {
  char text[32];
  const auto result = std::to_chars(text, text + sizeof text, value);
  return {text, result.ptr};
}

std::string noun(std::size_t count, const std::string& one, const std::string& many) {
  if (count == 1) return one;
  return many.empty() ? one + "s" : many;
}

}  // namespace induce
