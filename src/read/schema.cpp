// See schema.hpp.
#include "read/schema.hpp"

#include <algorithm>
#include <cmath>

#include "read/csv_cells.hpp"
#include "read/dates.hpp"
#include "read/levels.hpp"
#include "read/lines.hpp"
#include "read/number.hpp"

namespace induce::detail {
namespace {

using Entry = PlacedTexts::Entry;

// The texts of a column that are not missing values, and how many cells they are.
struct Texts {
  explicit Texts(const PlacedTexts& texts) : numbers_of(texts.size(), missing_cell) {
    for (std::size_t k = 0; k < texts.size(); ++k) {
      Entry entry = texts.entries()[k];
      entry.text = trimmed(entry.text);
      if (is_missing_cell(entry.text)) {
        missing += entry.count;
        continue;
      }
      entries.push_back(entry);
      index.push_back(k);
      cells += entry.count;
      double value = 0;
      if (is_number(entry.text, value)) {
        numbers += entry.count;
        numbers_of[k] = value;
        padded += is_padded(entry.text) ? entry.count : 0;
      }
      infinite += is_infinite(entry.text) ? entry.count : 0;
    }
  }

  // The first text in the file for which `test` is true; nullptr if there is none.
  template <class Test>
  const Entry* first(Test test) const {
    const Entry* found = nullptr;
    for (const Entry& entry : entries)
      if (test(entry.text) && (!found || entry.first < found->first)) found = &entry;
    return found;
  }
  template <class Test>
  bool all(Test test) const {
    return std::all_of(entries.begin(), entries.end(), [&](const Entry& entry) { return test(entry.text); });
  }

  std::vector<Entry> entries;      // without blanks around them
  std::vector<std::size_t> index;  // of each entry in the dictionary
  std::vector<double> numbers_of;  // of each text of the dictionary, NaN if it is none
  std::size_t missing = 0, cells = 0, numbers = 0, infinite = 0, padded = 0;
};

class Finder {
 public:
  Finder(const SeenColumn& seen, const ColumnSetting& setting)
      : seen_(seen), setting_(setting), rule_(setting.rule), texts_(seen.texts.texts()) {}

  FoundColumn find(bool settled) {
    found_.missing = seen_.missing + texts_.missing;
    if (seen_.many) return id();
    found_.padded = seen_.padded + texts_.padded;
    found_.values.assign(seen_.texts.size(), missing_cell);
    const bool of_numbers = seen_.numbers > 0, of_dates = seen_.dates > 0, of_texts = texts_.cells > 0;
    if (!of_numbers && !of_dates && !of_texts) return without_values();
    if (!settled && needs_texts(rule_, of_numbers, of_dates, of_texts)) {
      found_.read_again = true;
      return found_;
    }
    if (rule_ == CellRule::number && of_dates) refuse_type("dates", "numbers");
    if (rule_ == CellRule::date && of_numbers)
      refuse_type(seen_.storage == Storage::boolean ? "booleans" : "numbers", "dates");
    if (!of_texts) {
      found_.column.kind = of_dates ? ColumnKind::date : ColumnKind::number;
      return found_;
    }
    return of_texts_only();
  }

 private:
  FoundColumn without_values() {
    if (setting_.known) {
      found_.column = *setting_.known;
    } else if (!setting_.expected) {
      found_.use = FoundColumn::Use::empty;
      found_.warning = name() + " has no values and is left out";
    }
    return found_;
  }

  FoundColumn of_texts_only() {
    if (rule_ == CellRule::category) return category();
    if (rule_ == CellRule::found && texts_.all(is_boolean)) {
      found_.column.kind = ColumnKind::boolean;
      return with_levels();
    }
    const bool plain = texts_.numbers == texts_.cells && rule_ != CellRule::date;
    if (plain && setting_.style == TextValues::Style::none) return number(texts_.numbers_of);
    if (has_values()) return found_;
    if (rule_ == CellRule::date) refuse_date();
    const Entry& odd = *texts_.first([](auto token) { return !is_number(token); });
    if (rule_ == CellRule::number || texts_.numbers + texts_.infinite == texts_.cells) refuse(odd);
    if (is_header_cell(odd)) refuse(odd);
    const bool is_id = looks_like_id();
    if (!too_many() && 2 * texts_.numbers > texts_.cells)
      found_.warning = name() + " is " + (is_id ? "an id and left out" : "a category") +
                       " because not all of its values are numbers: " + in_quotes(odd.text) + in(odd.first) +
                       "; if it is a quantity, " + setting_.words.gap;
    return is_id ? id() : category();
  }

  FoundColumn id() {
    if (found_.warning.empty())
      found_.warning =
          name() + " is text with " +
          (too_many() ? "more than a million different values" : "a different value in nearly every row") +
          ": an id, left out; to use it: " + setting_.words.categorical +
          (too_many() ? "; if it is a quantity, " + setting_.words.numeric + " finds what is no number" : "");
    found_.use = FoundColumn::Use::id;
    return found_;
  }

  FoundColumn number(const std::vector<double>& values) {
    found_.column.kind = ColumnKind::number;
    found_.values = values;
    return found_;
  }

  // Are they numbers with separators or units, or dates?
  bool has_values() {
    std::vector<std::string_view> tokens;
    for (const Entry& entry : texts_.entries) tokens.push_back(entry.text);
    const TextValues read =
        read_texts(tokens, setting_.style == TextValues::Style::none ? setting_.dates : setting_.style);
    if (read.style == TextValues::Style::none || rule_ == (read.dates ? CellRule::number : CellRule::date))
      return false;
    if (read.style == TextValues::Style::ambiguous) {
      const Entry& doubtful = texts_.entries[read.doubtful];
      throw ParseFault{nullptr,
                       name() + ": " + why_ambiguous(read, doubtful.text) + "; " +
                           (read.dates ? setting_.words.dates : setting_.words.numbers) +
                           unless_known(", or declare the column categorical or drop it"),
                       Fault::data, doubtful.first};
    }
    for (std::size_t i = 0; i < tokens.size(); ++i) found_.values[texts_.index[i]] = read.values[i];
    found_.column.kind = read.dates ? ColumnKind::date : ColumnKind::number;
    found_.style = read.style;
    found_.style_is_certain = read.certain;
    return true;
  }

  [[noreturn]] void refuse_date() const {
    double days = 0;
    const Entry& odd = *texts_.first([&](auto token) {
      return !is_date(token, DateOrder::day_first, days) && !is_date(token, DateOrder::month_first, days);
    });
    throw ParseFault{nullptr, name() + ": " + in_quotes(odd.text) + " is not a date such as 2023-01-05",
                     Fault::data, odd.first};
  }

  FoundColumn category() {
    found_.column.kind = ColumnKind::category;
    with_levels();
    if (rule_ == CellRule::found && found_.warning.empty())
      found_.warning = doubt_about_levels(setting_.words, found_.column.levels.size(), texts_.cells,
                                          texts_.entries.front().text);
    return found_;
  }

  FoundColumn with_levels() {
    std::vector<std::string> spellings;
    for (const Entry& entry : texts_.entries) spellings.emplace_back(entry.text);
    std::vector<int> level;
    if (setting_.known) {
      found_.column = *setting_.known;
      level = match_levels(spellings, found_.column);
      warn_of_unknown(level);
    } else {
      Levels levels = find_levels(spellings);
      found_.column.levels = std::move(levels.levels);
      level = std::move(levels.of_spelling);
    }
    for (std::size_t i = 0; i < level.size(); ++i)
      if (level[i] >= 0) found_.values[texts_.index[i]] = level[i];
    return found_;
  }

  void warn_of_unknown(const std::vector<int>& level) {
    const Entry* first = nullptr;
    for (std::size_t i = 0; i < level.size(); ++i) {
      if (level[i] != static_cast<int>(found_.column.levels.size())) continue;
      found_.unknown.push_back(texts_.entries[i]);
      if (!first || texts_.entries[i].first < first->first) first = &texts_.entries[i];
    }
    if (first)
      found_.warning =
          warning_of_unknown(name(), found_.unknown.size(), first->text, setting_.where(first->first));
  }

  bool too_many() const { return seen_.many || texts_.entries.size() > most_texts; }
  bool looks_like_id() const {
    constexpr std::size_t least_rows = 20;
    return rule_ == CellRule::found && !setting_.expected &&
           (too_many() || (setting_.rows >= least_rows && 10 * texts_.entries.size() > 9 * texts_.cells));
  }

  // The only text in a column of numbers, in the first row of a table without a header.
  bool is_header_cell(const Entry& odd) const {
    return setting_.first_row && texts_.numbers > 0 && texts_.cells == texts_.numbers + odd.count &&
           odd.count == 1 && odd.first.file == setting_.first_row->file &&
           odd.first.offset <= setting_.first_row->offset;
  }

  [[noreturn]] void refuse(const Entry& odd) const {
    std::string what = name() + ": " + why_not_a_number(odd.text);
    if (is_header_cell(odd))
      what += " (if this line is a header, name the label column)";
    else if (!is_infinite(odd.text))
      what += "; " + setting_.words.gap + unless_known(", or declare the column categorical or drop it");
    throw ParseFault{nullptr, what, Fault::data, odd.first};
  }

  std::string unless_known(const std::string& advice) const { return setting_.expected ? "" : advice; }
  [[noreturn]] void refuse_type(const std::string& has, const std::string& wanted) const {
    throw ParseFault{nullptr, name() + " has " + has + ": it must have " + wanted};
  }
  const std::string& name() const { return setting_.words.shown; }
  std::string in(const Place& place) const { return setting_.where ? " in " + setting_.where(place) : ""; }

  const SeenColumn& seen_;
  const ColumnSetting& setting_;
  CellRule rule_;
  Texts texts_;
  FoundColumn found_;
};

}  // namespace

void SeenColumn::add(const SeenColumn& part, std::uint32_t files) {
  missing += part.missing;
  numbers += part.numbers;
  dates += part.dates;
  padded += part.padded;
  has_texts = has_texts || part.has_texts;
  many = many || part.many;
  for (Entry entry : part.texts.entries()) {
    entry.first.file += files;
    texts.add(entry);
  }
}

std::string warning_of_unknown(const std::string& column, std::size_t count, std::string_view first,
                               const std::string& where) {
  return column + ": " + std::to_string(count) + (count == 1 ? " value is" : " values are") +
         " unknown to the model, the first " + in_quotes(first) + " in " + where;
}

FoundColumn find_column(const SeenColumn& seen, const ColumnSetting& setting, bool settled) {
  return Finder(seen, setting).find(settled);
}

bool needs_texts(CellRule rule, bool numbers, bool dates, bool texts) {
  if (numbers + dates + texts > 1) return true;
  return (rule == CellRule::number && dates) || (rule == CellRule::date && numbers);
}

}  // namespace induce::detail
