// What the texts of a column mean as numbers: numbers with decimal commas ("3,5", "1.234,5") or thousands separators
// ("1,234.5", "1 234", "1'234"), percentages ("12.5%"), amounts of money ("$1,680.40", "1.680,40 €", "EUR 12"), and dates.
//
// How to read a comma, and whether the day or the month comes first, are questions for the whole column: "1,234" and
// "01/02/2022" may be either, "3,5" and "31/01/2022" may not. A percentage is its number: "12.5%" is 12.5. All cells of a
// column of percentages have the sign, and all amounts one currency, or none; dollars and pounds have a decimal point.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace induce::detail {

enum class TextStyle {
  none,           // there is a text that is neither a number nor a date
  ambiguous,      // the texts allow two values, or need two styles
  decimal_comma,  //
  thousands,      // commas, blanks or apostrophes between groups of three digits; decimal point
  day_first,      // or year first
  month_first     // or year first
};

// Parses a whole token to days since 1970-01-01 00:00 UTC; a time without a zone counts as UTC. With the year first, as in
// ISO 8601: 2023-01-05, 2023/1/5, 2023-01-05 10:30, 2023-01-05T10:30:00.5Z, 2023-01-05T10:30+02:00. With the year last, if
// the style says what comes first: 31.01.2023 (always day first), 1/31/2023, 31-01-2023 9:30 PM. False if it is not a date
// that exists.
bool is_date(std::string_view token, double& days, TextStyle style = TextStyle::none);

struct TextValues {
  TextStyle style = TextStyle::none;
  bool dates = false;          // they are dates
  bool certain = false;        // no text that may follow allows another style
  std::vector<double> values;  // of each text, if the style is one of the last four
  std::size_t doubtful = 0;    // if ambiguous: the text to show
};

// `known`: the style of earlier texts of the column, one of the last four; none: not known.
TextValues read_texts(const std::vector<std::string_view>& texts, TextStyle known = TextStyle::none);

// Why a column is ambiguous.
std::string why_ambiguous(const TextValues& found, std::string_view doubtful);

}  // namespace induce::detail
