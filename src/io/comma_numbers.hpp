// Columns of numbers with decimal commas ("3,5", "1.234,5") or thousands separators ("1,234.5", "1 234", "1'234").
//
// How to read a comma is a question for the whole column: "1,234" may be either, "3,5" and "1,234,567" may not.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace induce {

struct CommaNumbers {
  enum class Style {
    none,           // there is a text that is no number in any style
    ambiguous,      // the texts allow two values, or need two styles
    decimal_comma,  //
    thousands       // commas, blanks or apostrophes between groups of three digits; decimal point
  };
  Style style = Style::none;
  bool certain = false;        // no text that may follow allows another style
  std::vector<double> values;  // of each text, if the style is one of the last two
  std::size_t doubtful = 0;    // if ambiguous: the text to show
};

// `known`: the style of earlier texts of the column, one of the last two; none: not known.
CommaNumbers read_comma_numbers(const std::vector<std::string_view>& texts,
                                CommaNumbers::Style known = CommaNumbers::Style::none);

}  // namespace induce
