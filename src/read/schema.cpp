// See schema.hpp.
#include "read/schema.hpp"

#include <algorithm>
#include <cmath>

#include "read/levels.hpp"
#include "read/lines.hpp"
#include "read/number.hpp"

namespace induce::detail {
namespace {

using Entry = Dictionary::Entry;

// Decides what a column is, from its texts that are not missing values and from its numbers and dates.
class Finder {
 public:
  Finder(const SeenColumn& seen, const ColumnSetting& setting)
      : seen_(seen), setting_(setting), rule_(setting.rule), numbers_(seen.texts.size(), missing_cell) {
    found_.missing = seen.missing;
    found_.padded = seen.padded;
    for (std::size_t k = 0; k < seen.texts.size(); ++k) {
      Entry entry = seen.texts.entries()[k];
      entry.text = trimmed(entry.text);
      if (is_missing_cell(entry.text)) {
        found_.missing += entry.count;
        continue;
      }
      present_.push_back(entry);
      number_.push_back(k);
      cells_ += entry.count;
      double value = 0;
      if (is_number(entry.text, value)) {
        numeric_ += entry.count;
        numbers_[k] = value;
        found_.padded += is_padded(entry.text) ? entry.count : 0;
      }
      infinite_ += is_infinite(entry.text) ? entry.count : 0;
    }
  }

  FoundColumn find(bool settled) {
    const bool numbers = seen_.numbers > 0, dates = seen_.dates > 0;
    found_.values.assign(seen_.texts.size(), missing_cell);
    if (seen_.many) {
      leave_out_id();
    } else if (!numbers && !dates && present_.empty()) {
      find_without_values();
    } else if (!settled && needs_texts(rule_, seen_)) {
      found_.read_again = true;
    } else if (rule_ == CellRule::number && dates) {
      refuse_type("dates", "numbers");
    } else if (rule_ == CellRule::date && numbers) {
      refuse_type(seen_.storage == Storage::boolean ? "booleans" : "numbers", "dates");
    } else if (present_.empty()) {
      found_.column.kind = dates ? ColumnKind::date : ColumnKind::number;
    } else {
      find_from_texts();
    }
    return std::move(found_);
  }

 private:
  void find_without_values() {
    if (setting_.known) {
      found_.column = *setting_.known;
    } else if (!setting_.expected) {
      found_.use = FoundColumn::Use::empty;
      found_.warning = name() + " has no values and is left out";
    }
  }

  void find_from_texts() {
    if (rule_ == CellRule::category) return find_category();
    if (rule_ == CellRule::found && std::all_of(present_.begin(), present_.end(),
                                                [](const Entry& entry) { return is_boolean(entry.text); })) {
      found_.column.kind = ColumnKind::boolean;
      return find_levels_of_texts();
    }
    if (numeric_ == cells_ && rule_ != CellRule::date && setting_.style == TextStyle::none) {
      found_.values = numbers_;
      return;
    }
    if (has_values()) return;
    double days = 0;
    const bool dates = rule_ == CellRule::date;
    const Entry& odd = first_text([&](std::string_view text) {
      return dates
                 ? !is_date(text, days, TextStyle::day_first) && !is_date(text, days, TextStyle::month_first)
                 : !is_number(text);
    });
    if (dates)
      refuse(name() + ": " + in_quotes(odd.text) + " is not a date such as 2023-01-05", Fault::data,
             odd.first);
    if (rule_ == CellRule::number || numeric_ + infinite_ == cells_ || is_header_cell(odd)) refuse_text(odd);
    const bool is_id = looks_like_id();
    if (!too_many() && 2 * numeric_ > cells_)
      found_.warning = name() + " is " + (is_id ? "an id and left out" : "a category") +
                       " because not all of its values are numbers: " + in_quotes(odd.text) +
                       (setting_.where ? " in " + setting_.where(odd.first) : "") +
                       "; if it is a quantity, " + setting_.words.gap;
    is_id ? leave_out_id() : find_category();
  }

  void leave_out_id() {
    if (found_.warning.empty())
      found_.warning =
          name() + " is text with " +
          (too_many() ? "more than a million different values" : "a different value in nearly every row") +
          ": an id, left out; to use it: " + setting_.words.categorical +
          (too_many() ? "; if it is a quantity, " + setting_.words.numeric + " finds what is no number" : "");
    found_.use = FoundColumn::Use::id;
  }

  // Are they numbers with separators or units, or dates?
  bool has_values() {
    std::vector<std::string_view> tokens;
    for (const Entry& entry : present_) tokens.push_back(entry.text);
    const TextValues read =
        read_texts(tokens, setting_.style == TextStyle::none ? setting_.dates : setting_.style);
    if (read.style == TextStyle::none || rule_ == (read.dates ? CellRule::number : CellRule::date))
      return false;
    if (read.style == TextStyle::ambiguous) {
      const Entry& doubtful = present_[read.doubtful];
      refuse(name() + ": " + why_ambiguous(read, doubtful.text) + "; " +
                 (read.dates ? setting_.words.dates : setting_.words.numbers) + other_advice(),
             Fault::data, doubtful.first);
    }
    for (std::size_t i = 0; i < tokens.size(); ++i) found_.values[number_[i]] = read.values[i];
    found_.column.kind = read.dates ? ColumnKind::date : ColumnKind::number;
    if (read.certain) found_.style = read.style;
    return true;
  }

  void find_category() {
    found_.column.kind = ColumnKind::category;
    find_levels_of_texts();
    if (rule_ == CellRule::found && found_.warning.empty())
      found_.warning =
          doubt_about_levels(setting_.words, found_.column.levels.size(), cells_, present_.front().text);
  }

  void find_levels_of_texts() {
    std::vector<std::string> texts;
    for (const Entry& entry : present_) texts.emplace_back(entry.text);
    std::vector<int> level;
    if (setting_.known) {
      found_.column = *setting_.known;
      level = match_levels(texts, found_.column);
      warn_of_unknown(level);
    } else {
      Levels levels = find_levels(texts);
      found_.column.levels = std::move(levels.names);
      level = std::move(levels.level);
    }
    for (std::size_t i = 0; i < level.size(); ++i)
      if (level[i] >= 0) found_.values[number_[i]] = level[i];
  }

  void warn_of_unknown(const std::vector<int>& level) {
    for (std::size_t i = 0; i < level.size(); ++i)
      if (level[i] == static_cast<int>(found_.column.levels.size())) found_.unknown.push_back(present_[i]);
    if (found_.unknown.empty()) return;
    const Entry& first = *std::min_element(found_.unknown.begin(), found_.unknown.end(),
                                           [](const Entry& a, const Entry& b) { return a.first < b.first; });
    found_.warning =
        warning_of_unknown(name(), found_.unknown.size(), first.text, setting_.where(first.first));
  }

  // The first text in the file for which `test` is true, of which there must be one.
  template <class Test>
  const Entry& first_text(Test test) const {
    const Entry* found = nullptr;
    for (const Entry& entry : present_)
      if (test(entry.text) && (!found || entry.first < found->first)) found = &entry;
    return *found;
  }

  bool too_many() const { return seen_.many || present_.size() > most_texts; }
  bool looks_like_id() const {
    constexpr std::size_t least_rows = 20;
    return rule_ == CellRule::found && !setting_.expected &&
           (too_many() || (setting_.rows >= least_rows && 10 * present_.size() > 9 * cells_));
  }

  // The only text in a column of numbers, in the first row of a table without a header.
  bool is_header_cell(const Entry& odd) const {
    return setting_.first_row && numeric_ > 0 && cells_ == numeric_ + odd.count && odd.count == 1 &&
           odd.first.file == setting_.first_row->file && odd.first.offset <= setting_.first_row->offset;
  }

  [[noreturn]] void refuse_text(const Entry& odd) const {
    const std::string advice = is_header_cell(odd)     ? " (if this line is a header, name the label column)"
                               : is_infinite(odd.text) ? ""
                                                       : "; " + setting_.words.gap + other_advice();
    refuse(name() + ": " + why_not_a_number(odd.text) + advice, Fault::data, odd.first);
  }
  [[noreturn]] void refuse_type(const std::string& has, const std::string& wanted) const {
    refuse(name() + " has " + has + ": it must have " + wanted);
  }
  std::string other_advice() const {
    return setting_.expected ? "" : ", or declare the column categorical or drop it";
  }
  const std::string& name() const { return setting_.words.shown; }

  const SeenColumn& seen_;
  const ColumnSetting& setting_;
  CellRule rule_;
  FoundColumn found_;
  std::vector<Entry> present_;       // texts that are not missing values, without blanks around them
  std::vector<std::size_t> number_;  // of each in the dictionary
  std::vector<double> numbers_;      // of each text of the dictionary, NaN if it is none
  std::size_t cells_ = 0, numeric_ = 0, infinite_ = 0;  // that are texts, of these numbers, infinite numbers
};

}  // namespace

std::vector<std::uint32_t> SeenColumn::add(const SeenColumn& part) {
  std::vector<std::uint32_t> number;
  missing += part.missing;
  numbers += part.numbers;
  dates += part.dates;
  padded += part.padded;
  for (const Entry& entry : part.texts.entries())
    if (!many)
      number.push_back(texts.add(entry));
    else if (is_missing_cell(entry.text))
      missing += entry.count;
  if (part.many && !many) forget_texts();
  return number;
}

void SeenColumn::forget_texts() {
  for (const Entry& entry : texts.entries())
    if (is_missing_cell(entry.text)) missing += entry.count;
  texts = {};
  many = true;
}

bool SeenColumn::has_texts() const {
  return many || std::any_of(texts.entries().begin(), texts.entries().end(),
                             [](const Entry& entry) { return !is_missing_cell(entry.text); });
}

std::string warning_of_unknown(const std::string& column, std::size_t count, std::string_view first,
                               const std::string& where) {
  return column + ": " + std::to_string(count) + (count == 1 ? " value is" : " values are") +
         " unknown to the model, the first " + in_quotes(first) + " in " + where;
}

FoundColumn find_column(const SeenColumn& seen, const ColumnSetting& setting, bool settled) {
  return Finder(seen, setting).find(settled);
}

bool needs_texts(CellRule rule, const SeenColumn& seen) {
  const bool numbers = seen.numbers > 0, dates = seen.dates > 0;
  if (numbers ? dates || seen.has_texts() : dates && seen.has_texts()) return true;
  return (rule == CellRule::number && dates) || (rule == CellRule::date && numbers);
}

}  // namespace induce::detail
