// A column of texts that is an id, as far as it was read, and has so many different ones that they are no longer kept.
//
// It is left out in the end (csv_columns.hpp), and all that is needed for that can be counted: its cells, how many of them
// are different (distinct_count.hpp), and how many are numbers. That it is not a column of numbers, dates or true and false
// is known already, and more cells do not change it.
#pragma once

#include <cstddef>
#include <string>

#include "io/distinct_count.hpp"
#include "io/number.hpp"
#include "io/place.hpp"

namespace induce {

struct ManyTexts {
  static constexpr std::size_t most_kept = 1'000'000;  // different texts

  std::size_t cells = 0, missing = 0, numbers = 0;
  DistinctCount different;
  std::string odd;  // the first that is not a number; `missing` and `cells` are apart
  Place first_odd;

  // An entry of a dictionary. `place_of`: of its first occurrence.
  template <class Entry, class PlaceOf>
  void add(const Entry& entry, PlaceOf&& place_of) {
    if (is_missing_cell(entry.text)) {
      missing += entry.count;
      return;
    }
    cells += entry.count;
    different.add(entry.hash);
    if (is_number(entry.text)) {
      numbers += entry.count;
    } else if (odd.empty()) {
      odd = entry.text;
      first_odd = place_of(entry.first);
    }
  }
  // Of a later part of the table.
  void add(const ManyTexts& other) {
    cells += other.cells;
    missing += other.missing;
    numbers += other.numbers;
    different.add(other.different);
    if (!odd.empty()) return;
    odd = other.odd;
    first_odd = other.first_odd;
  }
};

}  // namespace induce
