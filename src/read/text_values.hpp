// What the texts of a column mean as numbers: numbers with decimal commas ("3,5", "1.234,5") or thousands separators
// ("1,234.5", "1 234", "1'234"), percentages ("12.5%"), amounts of money ("$1,680.40", "1.680,40 €", "EUR 12"), and dates
// (dates.hpp).
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

struct TextValues {
  enum class Style {
    none,           // there is a text that is neither a number nor a date
    ambiguous,      // the texts allow two values, or need two styles
    decimal_comma,  //
    thousands,      // commas, blanks or apostrophes between groups of three digits; decimal point
    day_first,      // or year first
    month_first     // or year first
  };
  Style style = Style::none;
  bool dates = false;          // they are dates
  bool certain = false;        // no text that may follow allows another style
  std::vector<double> values;  // of each text, if the style is one of the last four
  std::size_t doubtful = 0;    // if ambiguous: the text to show
};

// `known`: the style of earlier texts of the column, one of the last four; none: not known.
TextValues read_texts(const std::vector<std::string_view>& texts,
                      TextValues::Style known = TextValues::Style::none);

// Why a column is ambiguous.
std::string why_ambiguous(const TextValues& found, std::string_view doubtful);

}  // namespace induce::detail
