// Texts that are numbers or dates. Expected values are written by hand; days since 1970 by Python's datetime.
#include "read/text_values.hpp"

#include "read/schema.hpp"
#include "temporary.hpp"

namespace induce::test {
namespace {

using Style = TextStyle;
using Texts = std::vector<std::string_view>;

void expect_values(const Texts& texts, const std::vector<double>& values, Style style) {
  const TextValues found = read_texts(texts);
  EXPECT_EQ(found.style, style) << texts[0];
  EXPECT_EQ(found.values, values) << texts[0];
}

TEST(TextValues, Percentages) {
  expect_values({"12.5%", "3 %", "-1%"}, {12.5, 3, -1}, Style::thousands);
  expect_values({"12,5 %", "3\u00a0%"}, {12.5, 3}, Style::decimal_comma);
  EXPECT_EQ(read_texts({"12%", "0.12"}).style, Style::none);  // 12 % or .12 %?
}

TEST(TextValues, Amounts) {
  expect_values({"$1,680.40", "$12", "-$3.50", "$-2"}, {1680.4, 12, -3.5, -2}, Style::thousands);
  expect_values({"1.680,40 €", "3€", "12"}, {1680.4, 3, 12}, Style::decimal_comma);
  expect_values({"EUR 12,50", "7,25 EUR"}, {12.5, 7.25}, Style::decimal_comma);
  expect_values({"£3.10", "£1\u202f000"}, {3.1, 1000}, Style::thousands);
  expect_values({"$1,680", "$3.459"}, {1680, 3.459}, Style::thousands);  // dollars have a decimal point
  EXPECT_EQ(read_texts({"1.680 €", "2.500 €"}).style, Style::ambiguous);
  EXPECT_EQ(read_texts({"$3", "3 €"}).style, Style::none);
  EXPECT_EQ(read_texts({"ABC 12", "ABC 13"}).style, Style::none);
  EXPECT_EQ(read_texts({"$", "$5"}).style, Style::none);
}

TEST(TextValues, ALeadingZeroIsNoGroupOfThousands) {
  expect_values({"0,134", "1,250"}, {0.134, 1.25}, Style::decimal_comma);
  expect_values({"-0,134", "12"}, {-0.134, 12}, Style::decimal_comma);
  EXPECT_EQ(read_texts({"1,134", "1,250"}).style, Style::ambiguous);
  EXPECT_EQ(read_texts({"0,134", "1,234,567"}).style, Style::ambiguous);  // needs both styles
  EXPECT_EQ(read_texts({"0.134", "1,5"}).style, Style::ambiguous);
}

TEST(TextValues, Dates) {
  expect_values({"01.01.2021", "31.01.2021", "1.2.2021"}, {18628, 18658, 18659}, Style::day_first);
  expect_values({"01/31/2022", "02/01/2022"}, {19023, 19024}, Style::month_first);
  expect_values({"31/01/2022", "01/02/2022"}, {19023, 19024}, Style::day_first);
  expect_values({"2021/01/31", "2021-02-01"}, {18658, 18659}, Style::day_first);
  expect_values({"31.01.2021 06:00", "31.01.2021 12:00:00"}, {18658.25, 18658.5}, Style::day_first);
  expect_values({"1/31/2022 12:00 AM", "1/31/2022 6:00 pm"}, {19023, 19023.75}, Style::month_first);
  expect_values({"01/01/2022", "02/02/2022"}, {18993, 19025}, Style::day_first);  // either is the same
  for (const Texts& open : {Texts{"03/01/2022", "01/02/2022"}, Texts{"31/01/2022", "01/31/2022"}}) {
    const TextValues found = read_texts(open);
    EXPECT_EQ(found.style, Style::ambiguous);
    EXPECT_TRUE(found.dates);
  }
  EXPECT_EQ(read_texts({"03/01/2022"}, Style::month_first).values, (std::vector<double>{19052}));
  EXPECT_EQ(read_texts({"03/01/2022"}, Style::day_first).values, (std::vector<double>{18995}));
  for (const char* text :
       {"32.01.2021", "01.13.2021", "1.2.21", "01/02-2022", "2022/31/01", "1/31/2022 13:00 PM"})
    EXPECT_EQ(read_texts({text}).style, Style::none) << text;
}

class TextColumns : public TemporaryFiles {
 protected:
  Dataset column(const Strings& cells, const ReadOptions& options = {}) const {
    std::string text = "x;y\n";
    for (std::size_t i = 0; i < cells.size(); ++i) text += cells[i] + ";" + std::to_string(i % 2) + "\n";
    return read(text, options);
  }
};

TEST_F(TextColumns, AreReadAsWhatTheyAre) {
  EXPECT_EQ(column({"12.5%", "3%"}).X, table({{12.5}, {3}}));
  EXPECT_EQ(column({"$1,680.40", "7"}).X, table({{1680.4}, {7}}));  // 7 was read as a number first
  EXPECT_EQ(column({"0,134", "2,718"}).X, table({{0.134}, {2.718}}));
  const Dataset dates = column({"31.01.2021", "2021-02-01", "NA"});
  EXPECT_EQ(dates.names.columns, std::vector<Column>{{ColumnKind::date}});
  EXPECT_EQ(dates.X(0, 0), 18658);
  EXPECT_EQ(dates.X(1, 0), 18659);
  EXPECT_TRUE(dates.warnings.empty());
}

TEST_F(TextColumns, OpenDatesAreRefusedUnlessTheOrderIsGiven) {
  const std::string open = "x;y\n03/01/2022;0\n01/02/2022;1\n";
  expect_refused(open, {"line 2", "column 1 ('x'): the day or the month may come first in '03/01/2022'",
                        "2022-01-31", "--dates day-first or month-first"});
  ReadOptions options;
  options.dates = Style::month_first;
  EXPECT_EQ(read(open, options).X(0, 0), 19052);
  options.dates = Style::day_first;
  EXPECT_EQ(read(open, options).X(0, 0), 18995);
  EXPECT_EQ(column({"1,5", "2,5"}, options).X, table({{1.5}, {2.5}}));  // no date
  expect_refused("x;y\n01/31/2022;0\n01/02/2022;1\n", {"line 2", "'01/31/2022'"}, options);
}

TEST_F(TextColumns, OfAModel) {
  ReadOptions options;
  options.expected_features = {"when", "share"};
  options.expected_columns = {{ColumnKind::date}, {ColumnKind::number}};
  options.labels_required = false;
  EXPECT_EQ(read("when,share\n31.01.2021,5%\n", options).X, table({{18658, 5}}));
  expect_refused("when,share\n12.5%,5\n", {"'12.5%' is not a date"}, options);
  expect_refused("when,share\n2021-01-31,31.01.2021\n", {"'31.01.2021' is not a number"}, options);
}

TEST_F(TextColumns, ManyLevelsGetAWarning) {
  Strings cells;
  for (int i = 0; i < 600; ++i) cells.push_back("item " + std::to_string(i % 150));
  const Dataset data = column(cells);
  ASSERT_EQ(data.warnings.size(), 1U);
  for (const char* part :
       {"column 1 ('x')", "150 levels in 600 cells", "'item 0'", "--drop x", "--categorical x"})
    EXPECT_NE(data.warnings[0].find(part), std::string::npos) << data.warnings[0];
  ReadOptions options;
  options.categorical = {"x"};
  EXPECT_TRUE(column(cells, options).warnings.empty());
  for (int i = 600; i < 1500; ++i) cells.push_back("item " + std::to_string(i % 150));
  EXPECT_TRUE(column(cells).warnings.empty());  // ten rows each
}

}  // namespace
}  // namespace induce::test
