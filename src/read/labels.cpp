// See labels.hpp. A file may have millions of labels but few distinct spellings, so each spelling is
// processed once.
#include "read/labels.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <unordered_map>

#include "read/csv_fields.hpp"
#include "read/lines.hpp"
#include "read/number.hpp"

namespace induce::detail {
namespace {

// No table of classes has this many spellings, and collecting more would only cost memory.
constexpr std::size_t max_spellings = 20000;

struct Spellings {
  std::vector<std::string> text;   // in order of appearance
  std::vector<std::size_t> count;  // rows of each
};

Spellings texts_of(const PlacedTexts& found, bool csv, std::size_t most) {
  Spellings spellings;
  for (std::size_t i = 0; i < std::min(found.size(), most); ++i) {
    const PlacedTexts::Entry& entry = found.entries()[i];
    spellings.text.push_back(csv ? text_of_placed_field(entry.text, entry.first) : std::string(entry.text));
    spellings.count.push_back(entry.count);
  }
  return spellings;
}

bool is_missing_label(const std::string& text) { return is_missing_value(trimmed(text)); }

// The texts as numbers, if all are finite numbers. `missing`: or missing labels.
std::optional<std::vector<double>> all_numbers(const std::vector<std::string>& texts, bool missing = false) {
  std::vector<double> values(texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i)
    if (!is_number(texts[i], values[i]) && !(missing && is_missing_label(texts[i]))) return std::nullopt;
  return values;
}

void set_classes(Labels& labels, const Spellings& spellings, std::vector<int> class_of) {
  for (std::size_t i = 0; i < class_of.size(); ++i)
    labels.missing += class_of[i] < 0 ? spellings.count[i] : 0;
  labels.class_of = std::move(class_of);
}

// Explains a class that was not taken for one.
std::string marker_note(const Spellings& spellings) {
  for (const std::string& text : spellings.text)
    if (!trimmed(text).empty() && is_missing_label(text))
      return " (" + in_quotes(text) + " counts as missing)";
  return "";
}

template <class Value, class NameOf>
Labels sorted_classes(const Spellings& spellings, const std::vector<Value>& values, NameOf name_of) {
  std::vector<Value> distinct;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!is_missing_label(spellings.text[i])) distinct.push_back(values[i]);
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  if (distinct.empty()) throw ParseFault{nullptr, "no row has a label"};
  if (distinct.size() == 1)
    throw ParseFault{nullptr, "all labels are " + in_quotes(name_of(distinct[0])) +
                                  "; two classes are needed" + marker_note(spellings)};
  Labels labels;
  for (const Value& value : distinct) labels.classes.push_back(name_of(value));
  std::vector<int> class_of;  // of each spelling
  for (std::size_t i = 0; i < values.size(); ++i)
    class_of.push_back(is_missing_label(spellings.text[i])
                           ? -1
                           : static_cast<int>(std::lower_bound(distinct.begin(), distinct.end(), values[i]) -
                                              distinct.begin()));
  set_classes(labels, spellings, std::move(class_of));
  return labels;
}

// Lower case, without blanks.
std::string folded(const std::string& text) {
  std::string letters;
  for (const char c : text)
    if (!is_blank(c) && c != '\n') letters += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return letters;
}

std::string warning_of_similar(const std::vector<std::string>& classes) {
  std::map<std::string, std::string> known;
  for (const std::string& name : classes) {
    const auto [other, is_new] = known.emplace(folded(name), name);
    if (!is_new)
      return "the labels " + in_quotes(other->second) + " and " + in_quotes(name) +
             " differ by case or blanks only, but are two classes";
  }
  return "";
}

// The classes of a model: numbers if all of their names are.
class KnownClasses {
 public:
  explicit KnownClasses(const std::vector<std::string>& names) : names_(names) {
    const std::optional<std::vector<double>> values = all_numbers(names);
    numeric_ = values.has_value();
    for (std::size_t c = 0; c < names.size(); ++c) {
      if (numeric_) by_number_.emplace((*values)[c], static_cast<int>(c));
      by_text_.emplace(names[c], static_cast<int>(c));
    }
  }

  // Index of the class that the text names; -1 if none.
  int find(const std::string& text) const {
    double value = 0;
    if (!numeric_) {
      const auto found = by_text_.find(text);
      return found == by_text_.end() ? -1 : found->second;
    }
    if (!is_number(text, value)) return -1;
    const auto found = by_number_.find(value);
    return found == by_number_.end() ? -1 : found->second;
  }

  std::string list() const {
    constexpr std::size_t most = 5;
    std::string list;
    for (std::size_t c = 0; c < std::min(most, names_.size()); ++c)
      list += (c == 0 ? "" : names_.size() == 2 ? " and " : ", ") + in_quotes(names_[c]);
    return list + (names_.size() > most ? ", ..." : "");
  }

 private:
  const std::vector<std::string>& names_;
  bool numeric_ = false;
  std::map<double, int> by_number_;
  std::unordered_map<std::string, int> by_text_;
};

}  // namespace

std::string shortest_form(double value) {
  std::array<char, 32> buffer{};
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value + 0.0);
  return std::string(buffer.data(), end);
}

Labels resolve_labels(const PlacedTexts& found, bool csv, bool more,
                      const std::optional<std::vector<std::string>>& known) {
  if (known) {
    const Spellings spellings = texts_of(found, csv, found.size());
    const KnownClasses classes(*known);
    std::vector<int> class_of;
    for (std::size_t i = 0; i < spellings.text.size(); ++i) {
      class_of.push_back(classes.find(spellings.text[i]));
      if (class_of.back() < 0 && !is_missing_label(spellings.text[i]))
        throw ParseFault{nullptr,
                         "the label " + in_quotes(spellings.text[i]) +
                             " is not one of the model's classes, " + classes.list(),
                         Fault::data, found.entries()[i].first};
    }
    if (more)
      throw ParseFault{nullptr, "the label has more than " + std::to_string(found.size()) +
                                    " different spellings of the model's classes"};
    Labels labels;
    labels.classes = *known;
    set_classes(labels, spellings, std::move(class_of));
    return labels;
  }
  const Spellings spellings = texts_of(found, csv, max_spellings + 1);
  const auto values = all_numbers(spellings.text, true);
  if (spellings.text.size() > max_spellings)
    throw ParseFault{nullptr, "the label has more than " + std::to_string(max_spellings) + " different " +
                                  (values ? "numbers: it looks like a quantity (regression)"
                                          : "values: it looks like an identifier or free text") +
                                  ", and induce predicts up to 1000 classes; is it the right column?"};
  if (values) return sorted_classes(spellings, *values, shortest_form);
  Labels labels = sorted_classes(spellings, spellings.text, [](const std::string& text) { return text; });
  labels.warning = warning_of_similar(labels.classes);
  return labels;
}

}  // namespace induce::detail
