// Cells of CSV text: one parse of a chunk of rows, before it is known what the columns are.
//
// A number and a date are written to the table at once. Any other text gets a number in the dictionary of its column
// and chunk, which is written as the payload of a NaN; final_rows.hpp replaces it when all chunks are known. A missing
// value is a NaN without payload.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "read/csv_layout.hpp"
#include "read/dictionary.hpp"

namespace induce::detail {

inline constexpr double missing_cell = std::numeric_limits<double>::quiet_NaN();

inline double cell_of_text(std::uint32_t number) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(missing_cell) | (std::uint64_t{number} + 1));
}
// Only for cells that are NaN. False: a missing value.
inline bool text_of_cell(double cell, std::uint32_t& number) {
  const auto payload = static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(cell));
  number = payload - 1;
  return payload != 0;
}

// The cells of one feature in a chunk.
struct CellCounts {
  std::size_t missing = 0;  // empty ones; markers such as NA are texts
  std::size_t numbers = 0, dates = 0;
  std::size_t padded = 0;  // numbers with leading zeros
  Dictionary texts;
};

struct ChunkCells {
  std::vector<CellCounts> features;
  std::deque<std::string> unquoted;  // texts of the dictionaries that are not in the file as they are
};

// A cell without quotes and blanks around it; `at`: its place in the chunk.
double parse_token(std::string_view token, const char* at, CellRule rule, CellCounts& counts);

// What is wrong with a weight.
std::string why_no_weight(const CsvLayout& layout, std::size_t column, std::string_view token);

// Destinations for the parts of a row; nullptr if missing or unused.
struct RowTarget {
  double* features;
  std::string_view* label;  // untrimmed fields, perhaps quoted
  std::string_view* id;
  double* weight;
};

// Parses one record without its newline. Throws a ParseFault for a wrong number of columns, a bad weight or bad quotes.
void parse_row(std::string_view record, const CsvLayout& layout, const RowTarget& row, ChunkCells& cells);

}  // namespace induce::detail
