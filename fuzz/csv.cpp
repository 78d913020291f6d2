// CSV files. Bits of the first byte: 1 labels and weights are optional, 2 the expected features are "a" and "b", 4 the
// label column is "kind", 8 the weight column is "w", 16 "a" is a category and "b" the id, 32 columns "a" and "b" of a
// model, a number and a category, 64 the classes are known, 128 columns are given by index.
#include "support/table.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const unsigned choice = data[0];
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  induce::ReadOptions options;
  options.format = induce::Format::csv;
  options.labels_required = !(choice & 1);
  if (choice & 2) options.expected_features = {"a", "b"};
  if (choice & 4) options.label = choice & 128 ? "-2" : "kind";
  if (choice & 8) options.weight = choice & 128 ? "-1" : "w";
  options.weights_required = !(choice & 1);
  if (choice & 16) {
    options.categorical = {choice & 128 ? "0" : "a"};
    options.id = choice & 128 ? "1" : "b";
  }
  if (choice & 32) {
    options.expected_columns = {{induce::ColumnKind::number}, {induce::ColumnKind::category, {"1", "x"}}};
    options.features = 2;
  }
  if (choice & 64) options.classes = {"no", "yes"};
  induce::fuzz::read_table(text, options);
  return 0;
}
