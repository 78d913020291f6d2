// What the columns of a CSV table are, and what becomes of their cells. Expected tables are written by hand.
#include <cmath>
#include <cstring>

#include "temporary.hpp"

namespace induce::test {
namespace {

constexpr double gap = std::numeric_limits<double>::quiet_NaN();

class Columns : public TemporaryFiles {
 protected:
  static ReadOptions labelled() {
    ReadOptions options;
    options.label = "y";
    return options;
  }
  // Reads one feature `x`, given by its cells, with alternating labels.
  Dataset column(const Strings& cells, ReadOptions options = labelled()) const {
    std::string text = "x;y\n";
    for (std::size_t i = 0; i < cells.size(); ++i) text += cells[i] + ";" + std::to_string(i % 2) + "\n";
    return read(text, options);
  }
};

void expect_same(const RowMatrix& X, const RowMatrix& expected) {
  ASSERT_EQ(X.rows(), expected.rows());
  ASSERT_EQ(X.cols(), expected.cols());
  for (Index i = 0; i < X.size(); ++i) {
    const double a = X.data()[i], b = expected.data()[i];
    EXPECT_TRUE(a == b || (std::isnan(a) && std::isnan(b))) << i << ": " << a << ", expected " << b;
  }
}

RowMatrix column_of(const std::vector<double>& cells) {
  return Eigen::Map<const RowMatrix>(cells.data(), static_cast<Index>(cells.size()), 1);
}

TEST_F(Columns, MixedTable) {
  const Dataset data = read(
      "age,city,member,since,class\n"
      "31,Bern,TRUE,2023-01-05,b\n"
      "?, Rome ,false,NA,a\n"
      "40,,None,1970-01-02 12:00,a\n"
      "41,Bern,True,2023-01-06,b\n");
  expect_same(data.X, table({{31, 0, 1, 19362}, {gap, 1, 0, gap}, {40, gap, gap, 1.5}, {41, 0, 1, 19363}}));
  const std::vector<Column> expected{{ColumnKind::number},
                                     {ColumnKind::category, {"Bern", "Rome"}},
                                     {ColumnKind::boolean, {"false", "true"}},
                                     {ColumnKind::date}};
  EXPECT_EQ(data.names.columns, expected);
  EXPECT_EQ(data.names.features, (Strings{"age", "city", "member", "since"}));
  EXPECT_EQ(data.rows_with_gaps, 2U);
  ASSERT_EQ(data.columns.size(), 4U);
  const struct {
    const char *name, *kind;
    std::size_t missing, levels;
  } summaries[] = {{"age", "number", 1, 0},
                   {"city", "category", 1, 2},
                   {"member", "boolean", 1, 2},
                   {"since", "date", 1, 0}};
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_EQ(data.columns[k].name, summaries[k].name);
    EXPECT_EQ(data.columns[k].kind, summaries[k].kind);
    EXPECT_EQ(data.columns[k].missing, summaries[k].missing);
    EXPECT_EQ(data.columns[k].levels, summaries[k].levels);
    EXPECT_EQ(data.columns[k].feature, k);
  }
  EXPECT_TRUE(data.warnings.empty());
}

TEST_F(Columns, NumbersOnlyHaveNoKinds) {
  const Dataset data = read("a,b,class\n1,2,0\n3,,1\n");
  expect_same(data.X, table({{1, 2}, {3, gap}}));
  EXPECT_TRUE(data.names.columns.empty());
  EXPECT_EQ(data.rows_with_gaps, 1U);
}

TEST_F(Columns, MissingValues) {
  for (const std::string marker :
       {"", "  ", "\"\"", "NA", "na", "N/A", "NaN", "-nan", "null", "None", "?", "\" NA \""}) {
    expect_same(column({"1", marker, "2"}).X, column_of({1, gap, 2}));
    expect_same(column({"red", marker, "blue"}).X, column_of({1, gap, 0}));
    expect_same(column({"true", marker, "FALSE"}).X, column_of({1, gap, 0}));
    expect_same(column({"1970-01-02", marker, "1970-01-03"}).X, column_of({1, gap, 2}));
  }
}

TEST_F(Columns, QuotedTextsAreTheSameLevels) {
  const Dataset data = column({"red", "\"red\"", " \" red \" ", "\"a \"\"b\"\"\"", "\"a; b\""});
  EXPECT_EQ(data.names.columns[0].levels, (Strings{"a \"b\"", "a; b", "red"}));
  expect_same(data.X, column_of({2, 2, 2, 0, 1}));
}

TEST_F(Columns, NumbersBesideTextsAreLevels) {
  const Dataset data = column({"1", "x", "1.0", "y", "x"});
  EXPECT_EQ(data.names.columns[0].levels, (Strings{"1", "1.0", "x", "y"}));
  expect_same(data.X, column_of({0, 2, 1, 3, 2}));
  EXPECT_TRUE(data.warnings.empty());
  EXPECT_EQ(column({"2023-01-05", "soon", "2023-01-05"}).names.columns[0].levels,
            (Strings{"2023-01-05", "soon"}));
}

TEST_F(Columns, MostlyNumbersIsACategoryWithAWarning) {
  const Dataset data = column({"1", "2", "many", "2"});
  EXPECT_EQ(data.names.columns[0].levels, (Strings{"1", "2", "many"}));
  ASSERT_EQ(data.warnings.size(), 1U);
  for (const char* part : {"column 1 ('x')", "'many' in line 4", "NA"})
    EXPECT_NE(data.warnings[0].find(part), std::string::npos) << data.warnings[0];
}

TEST_F(Columns, IdsAndEmptyColumnsAreLeftOut) {
  std::string text = "name,x,nothing,y\n", few = text;
  for (int i = 0; i < 20; ++i) {
    text += "user" + std::to_string(i) + "," + std::to_string(i) + ",NA," + std::to_string(i % 2) + "\n";
    if (i < 19) few += "user" + std::to_string(i) + ",1,2," + std::to_string(i % 2) + "\n";
  }
  const Dataset data = read(text);
  EXPECT_EQ(data.names.features, Strings{"x"});
  EXPECT_TRUE(data.names.columns.empty());
  EXPECT_EQ(data.X.cols(), 1);
  EXPECT_EQ(data.X(19, 0), 19);
  EXPECT_EQ(data.columns[0].kind, "id");
  EXPECT_EQ(data.columns[2].kind, "empty");
  EXPECT_EQ(data.left_out, (std::vector<std::size_t>{0, 2}));
  ASSERT_EQ(data.warnings.size(), 2U);
  EXPECT_NE(data.warnings[0].find("column 1 ('name')"), std::string::npos);
  EXPECT_NE(data.warnings[1].find("column 3 ('nothing') has no values"), std::string::npos);
  EXPECT_EQ(read(few).names.columns[0].levels.size(), 19U);  // too few rows to tell
}

TEST_F(Columns, Overrides) {
  const std::string text = "zip,code,x,who,y\n1,7,1,a,0\n1.0,8,2,b,1\n2,7,3,c,1\n";
  ReadOptions options;
  options.categorical = {"zip", "1"};
  options.drop = {"who"};
  const Dataset data = read(text, options);
  EXPECT_EQ(data.names.features, (Strings{"zip", "code", "x"}));
  EXPECT_EQ(data.names.columns[0], (Column{ColumnKind::category, {"1", "2"}}));
  EXPECT_EQ(data.names.columns[1], (Column{ColumnKind::category, {"7", "8"}}));
  expect_same(data.X, table({{0, 0, 1}, {0, 1, 2}, {1, 0, 3}}));
  EXPECT_EQ(data.columns[3].kind, "dropped");
  options = {};
  options.only = {"x", "zip"};
  options.id = "who";
  const Dataset only = read(text, options);
  EXPECT_EQ(only.names.features, (Strings{"zip", "x"}));
  EXPECT_EQ(only.ids, (Strings{"a", "b", "c"}));
  EXPECT_EQ(only.left_out, (std::vector<std::size_t>{1, 3}));
  options = {};
  options.drop = {"-2", "0"};
  EXPECT_EQ(read("q,1,2,r,0\ns,3,4,t,1\n", options).X, table({{1, 2}, {3, 4}}));
}

TEST_F(Columns, DecimalCommasAndThousands) {
  const struct {
    Strings cells;
    std::vector<double> values;
  } read_as[] = {{{"3,5", "4", "-0,25"}, {3.5, 4, -0.25}},
                 {{"1.234,5", "1.000", "7"}, {1234.5, 1000, 7}},
                 {{"1,234", "2.5", "7"}, {1234, 2.5, 7}},
                 {{"1,234,567", "1,000", "NA"}, {1234567, 1000, gap}},
                 {{"1 234", "5", "12 345 678"}, {1234, 5, 12345678}},
                 {{"1'234.5", "5", "6"}, {1234.5, 5, 6}},
                 {{"\"0,5\"", "1e-3", "2"}, {0.5, 1e-3, 2}}};
  for (const auto& [cells, values] : read_as) {
    const Dataset data = column(cells);
    expect_same(data.X, column_of(values));
    EXPECT_TRUE(data.names.columns.empty());
  }
  EXPECT_EQ(read("a,b,y\n\"1,5\",2,0\n\"2,5\",3,1\n").X, table({{1.5, 2}, {2.5, 3}}));
  for (const Strings& cells : {Strings{"1,234", "5"}, Strings{"1,5", "2.5"}, Strings{"1,234,567", "1,5"}}) {
    try {
      column(cells);
      ADD_FAILURE() << cells[0] << " was read";
    } catch (const Error& error) {
      const std::string what = error.what();
      EXPECT_NE(what.find("column 1 ('x'): the separators in '1"), std::string::npos) << what;
      EXPECT_NE(what.find("decimal point"), std::string::npos) << what;
    }
  }
  EXPECT_EQ(column({"1,2,3", "4", "5"}).names.columns[0].kind, ColumnKind::category);
}

TEST_F(Columns, CommentsBeforeTheHeader) {
  const Dataset data = read("# made by hand; 2 columns\n\n  # more\na,y\n1,0\n2,1\n");
  EXPECT_EQ(data.names.features, Strings{"a"});
  EXPECT_EQ(data.X, table({{1}, {2}}));
  expect_refused("# a\n#b\n", {"comments but no rows"});
}

TEST_F(Columns, OfAModel) {
  ReadOptions options;
  options.expected_features = {"age", "city", "member", "since"};
  options.expected_columns = {{ColumnKind::number},
                              {ColumnKind::category, {"Bern", "Rome"}},
                              {ColumnKind::boolean, {"false", "true"}},
                              {ColumnKind::date}};
  options.labels_required = false;
  const Dataset data =
      read("extra,since,member,city,age\nx,2023-01-05,1,Paris,\nx,NA,TRUE,Rome,4\n", options);
  expect_same(data.X, table({{gap, 2, 1, 19362}, {4, 1, 1, gap}}));
  EXPECT_EQ(data.names.columns, *options.expected_columns);
  EXPECT_EQ(data.warnings,
            (Strings{"column 4 ('city'): 1 value is unknown to the model, the first 'Paris' in line 2",
                     "columns that the model does not use are ignored: 'extra'"}));
  const Dataset gaps = read("age,city,member,since\n,,,\n", options);
  expect_same(gaps.X, table({{gap, gap, gap, gap}}));
  EXPECT_EQ(gaps.rows_with_gaps, 1U);
  const Dataset by_order = read("5,Bern,false,1970-01-01\n", options);
  expect_same(by_order.X, table({{5, 0, 0, 0}}));
  options.expected_columns = std::vector<Column>{};
  options.expected_features = {"age"};
  expect_same(read("age\n1\nNA\n", options).X, column_of({1, gap}));
}

// Five megabytes make several chunks for more than one thread.
TEST_F(Columns, AnyNumberOfThreadsGivesTheSame) {
  std::string text = "word,number,odd,when,name,class\n";
  for (int i = 0; i < 60000; ++i)
    text += "level " + std::to_string(i * 7919 % 1013) + "," + std::to_string(i) + ".5," +
            (i % 9000 == 8000 ? "x" + std::to_string(i) : std::to_string(i % 70)) + ",2023-01-" +
            std::to_string(10 + i % 20) + "," + "person " + std::to_string(i) + "," +
            (i % 100 == 3 ? "" : std::to_string(i % 3)) + "\n";
  ASSERT_GT(text.size(), 2500000U);
  ReadOptions options;
  options.threads = 1;
  const Dataset one = read(text, options);
  EXPECT_EQ(one.names.columns[0].levels.size(), 1013U);
  EXPECT_EQ(one.X.cols(), 4);
  EXPECT_EQ(one.rows_without_label, 600U);
  for (const int threads : {2, 3, 7}) {
    options.threads = threads;
    const Dataset data = read(text, options);
    ASSERT_EQ(data.X.rows(), one.X.rows());
    EXPECT_EQ(
        std::memcmp(data.X.data(), one.X.data(), sizeof(double) * static_cast<std::size_t>(one.X.size())), 0);
    EXPECT_EQ(data.names.columns, one.names.columns);
    EXPECT_EQ(data.y, one.y);
    EXPECT_EQ(data.warnings, one.warnings);
  }
}

// A column that a model needs may also be the id of a prediction.
TEST(CsvColumns, TheIdMayBeAFeatureOfTheModel) {
  ReadOptions options;
  options.expected_features = {"number", "x"};
  options.expected_columns = std::vector<Column>{};
  options.features = 2;
  options.labels_required = false;
  options.id = "number";
  const Dataset data = parse_dataset("number,x\n7,1\n8, 2\n", "t.csv", options);
  EXPECT_EQ(data.ids, (std::vector<std::string>{"7", "8"}));
  EXPECT_EQ(data.id_name, "number");
  ASSERT_EQ(data.X.cols(), 2);
  EXPECT_EQ(data.X(1, 0), 8);
  EXPECT_EQ(data.X(1, 1), 2);
}

}  // namespace
}  // namespace induce::test
