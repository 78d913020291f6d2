// See labels.hpp. A file may have millions of labels but few distinct spellings, so each spelling is
// processed once.
#include "io/labels.hpp"

#include <algorithm>
#include <charconv>
#include <unordered_map>

#include "io/csv_fields.hpp"
#include "io/lines.hpp"
#include "io/number.hpp"

namespace induce {
namespace {

// Two classes never have this many spellings, and collecting more would only cost memory.
constexpr std::size_t max_spellings = 1000;

struct Spellings {
  std::vector<int> of_row;              // index of each row's spelling
  std::vector<std::string> text;        // in order of appearance
  std::vector<std::string_view> first;  // first occurrence of each
};

Spellings collect(const std::vector<std::string_view>& raw, bool csv) {
  Spellings spellings;
  spellings.of_row.reserve(raw.size());
  std::unordered_map<std::string_view, int> known;
  for (const std::string_view label : raw) {
    const auto [entry, is_new] = known.try_emplace(label, static_cast<int>(spellings.text.size()));
    if (is_new) {
      spellings.text.push_back(csv ? text_of_field(label) : std::string(label));
      spellings.first.push_back(label);
      if (spellings.text.size() > max_spellings) break;
    }
    spellings.of_row.push_back(entry->second);
  }
  return spellings;
}

// The texts as numbers, if all are finite numbers.
std::optional<std::vector<double>> all_numbers(const std::vector<std::string>& texts) {
  std::vector<double> values(texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i)
    if (!is_number(texts[i], values[i])) return std::nullopt;
  return values;
}

template <class Value>
std::vector<Value> sorted_distinct(std::vector<Value> values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

[[noreturn]] void refuse_class_count(const std::vector<std::string>& names, std::size_t spellings) {
  if (names.size() == 1)
    throw ParseFault{nullptr, "all labels are " + in_quotes(names[0]) + "; two classes are needed"};
  std::string list;
  for (std::size_t i = 0; i < std::min<std::size_t>(5, names.size()); ++i) list += in_quotes(names[i]) + ", ";
  list += names.size() > 5 ? "..." : "";
  if (list.ends_with(", ")) list.resize(list.size() - 2);
  throw ParseFault{nullptr, "multi-class classification is not supported: the labels form " +
                                std::string(spellings > max_spellings ? "at least " : "") +
                                std::to_string(names.size()) + " classes, " + list};
}

template <class Value, class NameOf>
Labels two_classes(const Spellings& spellings, const std::vector<Value>& values, NameOf name_of) {
  const std::vector<Value> distinct = sorted_distinct(values);
  if (distinct.size() != 2) {
    std::vector<std::string> names;
    names.reserve(distinct.size());
    for (const Value& value : distinct) names.push_back(name_of(value));
    refuse_class_count(names, spellings.text.size());
  }
  Labels labels{{}, {name_of(distinct[0]), name_of(distinct[1])}};
  labels.y.reserve(spellings.of_row.size());
  for (const int spelling : spellings.of_row) labels.y.push_back(values[spelling] == distinct[1] ? 1 : 0);
  return labels;
}

// Index of the class that the text names; -1 if neither.
int known_class(const std::string& text, const std::array<std::string, 2>& classes) {
  double first = 0, second = 0, value = 0;
  if (is_number(classes[0], first) && is_number(classes[1], second))
    return !is_number(text, value) ? -1 : value == first ? 0 : value == second ? 1 : -1;
  return text == classes[0] ? 0 : text == classes[1] ? 1 : -1;
}

}  // namespace

std::string shortest_form(double value) {
  std::array<char, 32> buffer{};
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value + 0.0);
  return std::string(buffer.data(), end);
}

Labels resolve_labels(const std::vector<std::string_view>& raw, bool csv,
                      const std::optional<std::array<std::string, 2>>& known) {
  const Spellings spellings = collect(raw, csv);
  if (known) {
    std::vector<int> class_of;
    for (std::size_t i = 0; i < spellings.text.size(); ++i) {
      class_of.push_back(known_class(spellings.text[i], *known));
      if (class_of.back() < 0)
        throw ParseFault{spellings.first[i].data(), "the label " + in_quotes(spellings.text[i]) +
                                                        " is not one of the model's classes, " +
                                                        in_quotes((*known)[0]) + " and " +
                                                        in_quotes((*known)[1])};
    }
    Labels labels{{}, *known};
    labels.y.reserve(raw.size());
    for (const int spelling : spellings.of_row) labels.y.push_back(class_of[spelling]);
    return labels;
  }
  if (const auto values = all_numbers(spellings.text)) return two_classes(spellings, *values, shortest_form);
  return two_classes(spellings, spellings.text, [](const std::string& text) { return text; });
}

}  // namespace induce
