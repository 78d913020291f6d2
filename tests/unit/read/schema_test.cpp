// What a column is, from parts of it. Oracle: the column as a whole.
#include "read/schema.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "read/lines.hpp"

namespace induce::test {
namespace {

SeenColumn seen_texts(const std::vector<std::string>& cells, std::size_t first_row = 0) {
  SeenColumn seen;
  for (std::size_t i = 0; i < cells.size(); ++i)
    seen.texts.add({cells[i], {0, first_row + i}, 1, Dictionary::hash_of(cells[i])});
  return seen;
}

ColumnSetting setting_for(std::size_t rows) {
  return {.words = command_words("column 1 ('a')", "a", 0), .rows = rows};
}

TEST(Schema, PartsAddUpToTheWhole) {
  const std::vector<std::vector<std::string>> columns{
      {"1", "2.5", "NA", "-3"},           {"true", "FALSE", "", "true"},
      {"2023-01-05", "2023-01-06", "NA"}, {"1,5", "2,25", "3,0"},
      {"red", "green", "red", "blue"},    {"31.01.2021", "01.02.2021"},
      {"12%", "3.5%", "NA", " 40% "},     {"", "NA", "null"}};
  for (const std::vector<std::string>& cells : columns) {
    const FoundColumn whole = find_column(seen_texts(cells), setting_for(cells.size()), true);
    for (std::size_t cut = 0; cut <= cells.size(); ++cut) {
      const auto middle = cells.begin() + static_cast<std::ptrdiff_t>(cut);
      SeenColumn sum = seen_texts({cells.begin(), middle});
      sum.add(seen_texts({middle, cells.end()}, cut));
      const FoundColumn found = find_column(sum, setting_for(cells.size()), true);
      EXPECT_EQ(found.use, whole.use) << cells[0];
      EXPECT_EQ(found.column, whole.column) << cells[0];
      ASSERT_EQ(found.values.size(), whole.values.size());
      for (std::size_t k = 0; k < found.values.size(); ++k)
        EXPECT_TRUE(found.values[k] == whole.values[k] ||
                    (std::isnan(found.values[k]) && std::isnan(whole.values[k])));
    }
  }
}

TEST(Schema, TypesThatDoNotFitAreNamed) {
  SeenColumn dates{.storage = Storage::date, .dates = 3};
  ColumnSetting setting = setting_for(3);
  EXPECT_EQ(find_column(dates, setting, true).column.kind, ColumnKind::date);
  setting.rule = CellRule::number;
  try {
    find_column(dates, setting, true);
    ADD_FAILURE();
  } catch (const ParseFault& fault) {
    EXPECT_EQ(fault.what, "column 1 ('a') has dates: it must have numbers");
  }
}

}  // namespace
}  // namespace induce::test
