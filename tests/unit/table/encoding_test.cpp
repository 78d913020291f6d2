// From columns to features. Oracles: hand-written codes, and invariance under the order of columns.
#include <gtest/gtest.h>

#include <cmath>

#include "table/encoding.hpp"
#include "table/feature_map.hpp"
#include "table/typical_values.hpp"

namespace induce {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

Names three_columns() {
  Names names;
  names.features = {"work", "age", "paid"};
  names.columns = {{ColumnKind::category, {"a", "b", "rare"}}, {}, {ColumnKind::boolean, {"false", "true"}}};
  return names;
}

// 20 rows: "rare" occurs twice, an age is missing in two rows.
std::vector<double> three_columns_of_rows() {
  std::vector<double> X;
  for (int i = 0; i < 20; ++i)
    X.insert(X.end(), {i < 2 ? 2.0 : double(i % 2), i % 10 == 9 ? none : double(i), double(i % 2)});
  return X;
}

TEST(Encoding, LevelsAndGapsBecomeFeatures) {
  Workers workers(2);
  const std::vector<double> X = three_columns_of_rows();
  const Names names = three_columns();
  const Encoding encoding = Encoding::find({X.data(), 20, 3}, names, workers);
  ASSERT_FALSE(encoding.is_plain());
  EXPECT_EQ(encoding.names_of_features(names),
            (std::vector<std::string>{"age", "age (missing)", "paid=false", "paid=true", "paid=(other)",
                                      "work=a", "work=b", "work=(other)"}));
  EXPECT_EQ(encoding.group_of(), (std::vector<Index>{0, 1, 2, 2, 2, 3, 3, 3}));
  EXPECT_EQ(encoding.name_of_group(1, names.features), "age (missing)");
  EXPECT_EQ(encoding.name_of_group(3, names.features), "work");
  const auto code = [&](double work, double age, double paid) {
    const std::vector<double> row{work, age, paid};
    std::vector<double> out(8);
    encoding.apply(row.data(), 1, out.data());
    return out;
  };
  EXPECT_EQ(code(1, 30, 0), (std::vector<double>{30, 0, 1, 0, 0, 0, 1, 0}));
  EXPECT_EQ(code(2, 30, 1), (std::vector<double>{30, 0, 0, 1, 0, 0, 0, 1}));  // rare: other
  EXPECT_EQ(code(9, 30, 7), (std::vector<double>{30, 0, 0, 0, 1, 0, 0, 1}));  // never seen: other
  const std::vector<double> missing = code(none, none, none);
  EXPECT_TRUE(std::isnan(missing[0]));
  EXPECT_EQ(std::vector<double>(missing.begin() + 1, missing.end()),
            (std::vector<double>{1, 0, 0, 1, 0, 0, 1}));
}

TEST(Encoding, AMissingNumberIsTheMeanAndLevelsStay01) {
  Workers workers(1);
  const std::vector<double> X = three_columns_of_rows();
  const TableView table{X.data(), 20, 3};
  const Encoding encoding = Encoding::find(table, three_columns(), workers);
  for (const FeatureMap& map :
       {FeatureMap::standardized(MemoryStore::as_it_is(table), workers, encoding),
        FeatureMap::yeo_johnson(MemoryStore::as_it_is(table), workers, FeatureMap::Warped::all, encoding)}) {
    const RowMatrix out = map.apply(table, workers);
    ASSERT_EQ(out.cols(), 8);
    double sum = 0;
    for (Index i = 0; i < 20; ++i) {
      EXPECT_EQ(out(i, 1), i % 10 == 9 ? 1 : 0);
      if (i % 10 == 9) {
        EXPECT_EQ(out(i, 0), 0);
      }
      sum += out(i, 0);
      EXPECT_EQ(out.row(i).segment(2, 3).sum(), 1);
      EXPECT_EQ(out.row(i).segment(5, 3).sum(), 1);
    }
    EXPECT_NEAR(sum, 0, 1e-12);  // the mean of the values that are there is 0
  }
}

TEST(Encoding, OrderOfColumnsChangesNothing) {
  Workers workers(1);
  const std::vector<double> X = three_columns_of_rows();
  std::vector<double> turned;
  for (std::size_t i = 0; i < 20; ++i) turned.insert(turned.end(), {X[3 * i + 2], X[3 * i], X[3 * i + 1]});
  Names names = three_columns(), other;
  other.features = {names.features[2], names.features[0], names.features[1]};
  other.columns = {names.columns[2], names.columns[0], names.columns[1]};
  const Encoding a = Encoding::find({X.data(), 20, 3}, names, workers),
                 b = Encoding::find({turned.data(), 20, 3}, other, workers);
  EXPECT_EQ(a.group_of(), b.group_of());
  std::vector<double> of_a(8 * 20), of_b(8 * 20);
  a.apply(X.data(), 20, of_a.data());
  b.apply(turned.data(), 20, of_b.data());
  for (std::size_t k = 0; k < of_a.size(); ++k)
    EXPECT_TRUE(of_a[k] == of_b[k] || (std::isnan(of_a[k]) && std::isnan(of_b[k])));
  const std::vector<int> y(20, 0);
  const MemoryStore one({X.data(), 20, 3}, y, {}, a.order(), workers),
      two({turned.data(), 20, 3}, y, {}, b.order(), workers);
  ASSERT_EQ(one.n(), two.n());
  for (Index i = 0; i < one.n(); ++i) EXPECT_EQ(one.table_row(i), two.table_row(i));
}

TEST(Encoding, RepeatedValuesOfAMostlyConstantNumberAreLevels) {
  Workers workers(1);
  std::vector<double> X;
  for (int i = 0; i < 400; ++i) {
    const double amount = i % 10 < 7 ? 0 : i % 10 == 7 ? 5000 : i % 10 == 8 ? 7000 : i;
    X.insert(X.end(), {amount, double(i)});
  }
  const Encoding encoding = Encoding::find({X.data(), 400, 2}, {}, workers);
  ASSERT_FALSE(encoding.is_plain());
  EXPECT_EQ(encoding.codes()[0].repeated, (std::vector<double>{0, 5000, 7000}));
  EXPECT_TRUE(encoding.codes()[1].is_plain());
  std::vector<double> out(5);
  const std::vector<double> row{7000, 3};
  encoding.apply(row.data(), 1, out.data());
  EXPECT_EQ(out, (std::vector<double>{7000, 0, 0, 1, 3}));
  EXPECT_EQ(encoding.names_of_features({}),
            (std::vector<std::string>{"feature 0", "feature 0=0", "feature 0=5000", "feature 0=7000",
                                      "feature 1"}));
}

// Pixels: in most columns the background is the most common value.
TEST(Encoding, ManyMostlyConstantNumbersArePlain) {
  Workers workers(1);
  constexpr std::size_t columns = 9;
  std::vector<double> X;
  for (int i = 0; i < 400; ++i)
    for (std::size_t f = 0; f < columns; ++f) X.push_back(i % 10 < 7 ? 0 : i % 40);
  EXPECT_TRUE(Encoding::find({X.data(), 400, columns}, {}, workers).is_plain());
}

TEST(Encoding, NumbersWithoutGapsArePlain) {
  Workers workers(1);
  const std::vector<double> X{1, 2, 3, 4, 5, 6};
  EXPECT_TRUE(Encoding::find({X.data(), 3, 2}, {}, workers).is_plain());
}

TEST(Encoding, ThousandsOfLevelsAreLimitedToTheFrequentOnes) {
  Workers workers(1);
  Names names;
  names.columns.resize(1);
  names.columns[0].kind = ColumnKind::category;
  for (int k = 0; k < 10000; ++k) names.columns[0].levels.push_back(std::to_string(100000 + k));
  std::vector<double> X;
  for (int i = 0; i < 60000; ++i) X.push_back(i % 10000);
  for (int i = 0; i < 300; ++i) X.push_back(i % 3);
  const Encoding encoding = Encoding::find({X.data(), X.size(), 1}, names, workers);
  EXPECT_EQ(encoding.features(), 101);
  EXPECT_EQ(encoding.codes()[0].levels[0], 0);
  EXPECT_EQ(encoding.codes()[0].levels[2], 2);
}

TEST(TypicalValues, FillGapsAsOftenAsValuesOccur) {
  Workers workers(1);
  std::vector<double> X;
  for (int i = 0; i < 100; ++i) X.insert(X.end(), {double(i), i < 75 ? 0.0 : 1.0, i == 0 ? none : 2.0});
  const std::vector<int> labels(100, 0);
  const MemoryStore rows = MemoryStore::as_it_is({X.data(), 100, 3}, labels);
  const TypicalValues typical = TypicalValues::find(rows, rows.facts(), std::vector<Index>{0, 1, 2}, workers);
  EXPECT_EQ(typical.most_gaps, 1u);
  const std::vector<double> complete{1, 0, 2}, known{1, 0, none}, fresh{none, 0, 2}, two{1, none, none};
  EXPECT_FALSE(typical.has_new_gaps(complete.data()));
  EXPECT_FALSE(typical.has_new_gaps(known.data()));
  EXPECT_TRUE(typical.has_new_gaps(fresh.data()));
  EXPECT_TRUE(typical.has_new_gaps(two.data()));
  const Index R = typical.draws();
  std::vector<double> filled(static_cast<std::size_t>(R) * 3);
  typical.complete(two.data(), filled.data());
  double ones = 0;
  for (Index k = 0; k < R; ++k) {
    EXPECT_EQ(filled[3 * k], 1);
    EXPECT_EQ(filled[3 * k + 2], 2);
    ones += filled[3 * k + 1];
  }
  EXPECT_EQ(ones, static_cast<double>(R) / 4);
  EXPECT_NEAR(typical.values.col(0).mean(), 49.5, 1.5);
}

}  // namespace
}  // namespace induce
