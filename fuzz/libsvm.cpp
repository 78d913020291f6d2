// LIBSVM files. Bits of the first byte: 1 labels are optional, 2 three features are expected, 4 a dense file has all
// features, 8 the classes are known, 64 the format is detected.
#include <algorithm>

#include "support/table.hpp"

namespace {

// Digits of the longest number. Tables are dense, so a feature index of six digits would need megabytes per row.
std::size_t longest_number(std::string_view text) {
  std::size_t longest = 0, run = 0;
  for (const char c : text) {
    run = c >= '0' && c <= '9' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return longest;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const unsigned choice = data[0];
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  induce::ReadOptions options;
  options.format = choice & 64 ? induce::Format::automatic : induce::Format::libsvm;
  options.labels_required = !(choice & 1);
  if (choice & 2) options.features = 3;
  options.dense_shows_all = choice & 4;
  if (choice & 8) options.classes = {"-1", "1"};
  if (options.features == 0 && longest_number(text) > 4) return 0;
  induce::fuzz::read_table(text, options);
  return 0;
}
