// See levels.hpp. A file may have millions of labels but few different texts, so each text is processed once.
#include "read/levels.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace induce::detail {
namespace {

using Texts = std::vector<std::string>;

enum class Use { levels, classes };

// How all of some texts can be read.
enum class Spelled { boolean, number, text };

bool is_missing(std::string_view text) { return is_missing_value(trimmed(text)); }

// What of a text counts.
std::string_view token_of(std::string_view text, Use use) {
  return use == Use::classes ? text : trimmed(text);
}

// `gaps`: missing values do not count.
Spelled how_spelled(const Texts& texts, Use use, bool gaps) {
  bool boolean = use == Use::levels, number = true, none = true;
  for (const std::string& text : texts) {
    if (gaps && is_missing(text)) continue;
    none = false;
    boolean = boolean && is_boolean(token_of(text, use));
    number = number && is_number(token_of(text, use));
  }
  return none ? Spelled::text : boolean ? Spelled::boolean : number ? Spelled::number : Spelled::text;
}

// The name of the level that the token means; empty if it cannot be one.
std::string level_name(std::string_view token, Spelled how) {
  double value = 0;
  if (how == Spelled::boolean)
    return !is_boolean(token) ? "" : equal_ignoring_case(token, "true") ? "true" : "false";
  if (how == Spelled::number) return is_number(token, value) ? shortest(value + 0.0) : "";
  return std::string(token);
}

bool is_smaller(const std::string& a, const std::string& b) {
  double x = 0, y = 0;
  return is_number(a, x) && is_number(b, y) && x < y;
}

Levels sorted_levels(const Texts& texts, Use use, Spelled how) {
  Levels found;
  Texts names;  // of each text; empty: missing
  for (const std::string& text : texts) {
    names.push_back(is_missing(text) ? "" : level_name(token_of(text, use), how));
    if (!names.back().empty()) found.names.push_back(names.back());
  }
  std::sort(found.names.begin(), found.names.end());
  if (use == Use::classes && how == Spelled::number)
    std::sort(found.names.begin(), found.names.end(), is_smaller);
  found.names.erase(std::unique(found.names.begin(), found.names.end()), found.names.end());
  std::unordered_map<std::string_view, int> index{{"", -1}};
  for (std::size_t k = 0; k < found.names.size(); ++k) index.emplace(found.names[k], static_cast<int>(k));
  for (const std::string& name : names) found.level.push_back(index.at(name));
  return found;
}

// A level that is not listed: known.size().
std::vector<int> matched_levels(const Texts& texts, const Texts& known, Use use, bool boolean) {
  const Spelled how = how_spelled(known, use, false);
  std::unordered_map<std::string, int> index;
  for (std::size_t k = 0; k < known.size(); ++k)
    index.emplace(level_name(token_of(known[k], use), how), static_cast<int>(k));
  std::vector<int> level;
  for (const std::string& text : texts) {
    const std::string_view token = token_of(text, use);
    std::string name = level_name(token, how);
    double value = 0;
    if (boolean && is_number(token, value) && (value == 0 || value == 1))
      name = value == 1 ? "true" : "false";
    const auto at = index.find(name);
    level.push_back(at != index.end() ? at->second : is_missing(text) ? -1 : static_cast<int>(known.size()));
  }
  return level;
}

// Explains a class that was not taken for one.
std::string marker_note(const Texts& texts) {
  for (const std::string& text : texts)
    if (!trimmed(text).empty() && is_missing(text)) return " (" + in_quotes(text) + " counts as missing)";
  return "";
}

// Lower case, without blanks.
std::string folded(const std::string& text) {
  std::string letters;
  for (const char c : text)
    if (!is_blank(c) && c != '\n') letters += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return letters;
}

std::string warning_of_similar(const Texts& classes) {
  std::map<std::string, std::string> known;
  for (const std::string& name : classes) {
    const auto [other, is_new] = known.emplace(folded(name), name);
    if (!is_new)
      return "the labels " + in_quotes(other->second) + " and " + in_quotes(name) +
             " differ by case or blanks only, but are two classes";
  }
  return "";
}

std::string list_of_classes(const Texts& names) {
  constexpr std::size_t most = 5;
  std::string list;
  for (std::size_t c = 0; c < std::min(most, names.size()); ++c)
    list += (c == 0 ? "" : names.size() == 2 ? " and " : ", ") + in_quotes(names[c]);
  return list + (names.size() > most ? ", ..." : "");
}

// Classes of a fit to successes of trials or to shares, and a label that may be one of these.
std::string about_counts(std::string_view label, const Texts& known) {
  double number = 0;
  if (known != Texts{"0", "1"} || !is_number(label, number) || !(number >= 0)) return "";
  return ". If it is a number of successes or a share: options trials, shares of eval and update";
}

Levels match_classes(const Texts& texts, const Dictionary& labels, bool more, const Texts& known) {
  Levels found{known, matched_levels(texts, known, Use::classes, false)};
  for (std::size_t i = 0; i < texts.size(); ++i)
    if (found.level[i] == static_cast<int>(known.size()))
      refuse("the label " + in_quotes(texts[i]) + " is not one of the model's classes, " +
                 list_of_classes(known) + about_counts(texts[i], known),
             Fault::data, labels.entries()[i].first);
  if (more)
    refuse("the label has more than " + std::to_string(texts.size()) +
           " different spellings of the model's classes");
  return found;
}

// No table of classes has this many texts, and collecting more would only cost memory.
constexpr std::size_t most_texts_of_labels = 20000;

Levels new_classes(const Texts& texts, Spelled how) {
  if (texts.size() > most_texts_of_labels)
    refuse(
        "the label has more than " + std::to_string(most_texts_of_labels) + " different " +
        (how == Spelled::number ? "numbers: it looks like a quantity (regression)"
                                : "values: it looks like an identifier or free text") +
        ", and induce predicts up to 1000 classes; is it the right column?" +
        (how == Spelled::number ? " If it has shares or successes of trials: options shares, trials" : ""));
  Levels found = sorted_levels(texts, Use::classes, how);
  if (found.names.empty()) refuse("no row has a label");
  if (found.names.size() == 1)
    refuse("all labels are " + in_quotes(found.names[0]) + "; two classes are needed" + marker_note(texts));
  return found;
}

// Puts the classes in this order.
void arrange(Levels& found, const Texts& order) {
  const std::vector<int> number = matched_levels(order, found.names, Use::classes, false);
  const int count = static_cast<int>(found.names.size());
  std::vector<int> place(found.names.size(), -1);
  int next = 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    if (number[k] < 0 || number[k] >= count) continue;  // no row has it
    int& of_class = place[static_cast<std::size_t>(number[k])];
    if (of_class >= 0) refuse("--order: " + in_quotes(order[k]) + " is in it twice");
    of_class = next++;
  }
  Texts names(found.names.size());
  std::string missing;
  for (std::size_t c = 0; c < place.size(); ++c) {
    if (place[c] < 0)
      missing += (missing.empty() ? "" : ", ") + in_quotes(found.names[c]);
    else
      names[static_cast<std::size_t>(place[c])] = found.names[c];
  }
  if (!missing.empty()) refuse("--order: must list all labels; missing: " + missing);
  found.names = std::move(names);
  for (int& level : found.level)
    if (level >= 0) level = place[static_cast<std::size_t>(level)];
}

}  // namespace

bool is_boolean(std::string_view token) {
  return equal_ignoring_case(token, "true") || equal_ignoring_case(token, "false");
}

Levels find_levels(const Texts& texts) {
  return sorted_levels(texts, Use::levels, how_spelled(texts, Use::levels, true));
}

std::vector<int> match_levels(const Texts& texts, const Column& column) {
  return matched_levels(texts, column.levels, Use::levels, column.kind == ColumnKind::boolean);
}

Classes find_classes(const Dictionary& labels, bool more, const std::optional<Texts>& known,
                     const Texts& order) {
  Texts texts;
  for (const Dictionary::Entry& entry : labels.entries()) {
    if (!known && texts.size() > most_texts_of_labels) break;
    texts.emplace_back(entry.text);
  }
  Classes found;
  if (known) {
    static_cast<Levels&>(found) = match_classes(texts, labels, more, *known);
  } else {
    const Spelled how = how_spelled(texts, Use::classes, true);
    static_cast<Levels&>(found) = new_classes(texts, how);
    if (how == Spelled::text) found.warning = warning_of_similar(found.names);
    if (!order.empty()) arrange(found, order);
  }
  for (std::size_t i = 0; i < texts.size(); ++i)
    found.missing += found.level[i] < 0 ? labels.entries()[i].count : 0;
  return found;
}

}  // namespace induce::detail
