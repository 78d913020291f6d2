// Columns that alone determine the label, and columns that must not be taken for one. Oracle: how each table was made.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include <induce/fit.hpp>

#include "fit/label_columns.hpp"
#include "linalg/random.hpp"

namespace induce::testing::label_columns {
namespace {

constexpr double gap = std::numeric_limits<double>::quiet_NaN();
const Column number{ColumnKind::number};
const Column levels{ColumnKind::category, {"a", "b", "c", "d"}};

// A column under test and one of noise, which makes rows different.
struct OneColumn {
  std::vector<double> x;
  std::vector<int> y;
  std::vector<double> weights{};
  std::size_t classes = 2;
  Column kind = number;

  void add(double value, int label) {
    x.insert(x.end(), {value, noise()});
    y.push_back(label);
  }
  double noise() { return random_.uniform(); }
  int coin(int sides = 2) { return static_cast<int>(random_.uniform() * sides); }
  void permute_labels() { random_.shuffle(y); }
  std::string warning() const {
    Names names{.classes = {}, .label = "", .features = {"alive", "noise"}, .columns = {kind, number}};
    for (std::size_t k = 0; k < classes; ++k) names.classes.push_back(std::to_string(k));
    Workers workers(1);
    const MemoryStore merged({x.data(), y.size(), 2}, y, weights, {}, workers);
    return warning_of_label_columns(merged, names, workers);
  }

 private:
  Random random_{17};
};

const std::string of_alive =
    "column alive alone determines the label (accuracy 1.0000): is it another name of the label? Drop it if "
    "so";

// The label is `label_of(value)` for values from 0 to `values` - 1.
template <class LabelOf>
OneColumn made_of(std::size_t rows, int values, const Column& kind, const LabelOf& label_of) {
  OneColumn table;
  table.kind = kind;
  for (std::size_t i = 0; i < rows; ++i) {
    const int value = static_cast<int>(i) % values;
    table.add(value, label_of(value));
  }
  return table;
}

TEST(LabelColumns, LevelsAndNumbersThatDetermineIt) {
  EXPECT_EQ(made_of(60, 2, levels, [](int value) { return value; }).warning(), of_alive);
  EXPECT_EQ(made_of(60, 4, levels, [](int value) { return value % 2; }).warning(), of_alive);
  EXPECT_EQ(made_of(60, 4, number, [](int value) { return value % 2; }).warning(), of_alive);
  EXPECT_EQ(made_of(60, 60, number, [](int value) { return value < 20 ? 1 : 0; }).warning(), of_alive);
  OneColumn many = made_of(300, 100, number, [](int value) { return value < 30 ? 2 : value < 60 ? 0 : 1; });
  many.classes = 3;
  EXPECT_EQ(many.warning(), of_alive);
  many.kind = levels;
  for (std::size_t i = 0; i < many.y.size(); ++i) many.x[2 * i] = many.y[i];
  EXPECT_EQ(many.warning(), of_alive);
}

TEST(LabelColumns, AGapIsAValue) {
  OneColumn table;
  for (int i = 0; i < 60; ++i) table.add(i % 2 ? gap : 5, i % 2);
  EXPECT_EQ(table.warning(), of_alive);
}

TEST(LabelColumns, NearlyIsAHundredthOfTheErrors) {
  OneColumn table = made_of(1000, 2, levels, [](int value) { return value; });
  for (std::size_t i = 0; i < 4; ++i) table.y[2 * i] = 1;
  EXPECT_NE(table.warning().find("accuracy 0.9960"), std::string::npos) << table.warning();
  table.y[50] = 1;
  EXPECT_EQ(table.warning(), "");
  // 990 of 1000 rows have one class: an accuracy of .998 is nothing to wonder at.
  OneColumn rare = made_of(1000, 100, number, [](int value) { return value == 99; });
  rare.y[99] = rare.y[199] = 0;
  EXPECT_EQ(rare.warning(), "");
}

TEST(LabelColumns, IdsDoNot) {
  OneColumn ids, texts;
  for (int i = 0; i < 500; ++i) ids.add(i, ids.coin());
  EXPECT_EQ(ids.warning(), "");
  texts = ids;
  texts.kind = {ColumnKind::category, {}};
  EXPECT_EQ(texts.warning(), "");
}

TEST(LabelColumns, FewRowsAreChance) {
  for (const Column& kind : {number, levels}) {
    EXPECT_EQ(made_of(20, 2, kind, [](int value) { return value; }).warning(), "");
    EXPECT_EQ(made_of(40, 2, kind, [](int value) { return value; }).warning(), of_alive);
  }
}

TEST(LabelColumns, PermutedLabelsNeverFire) {
  for (const std::size_t rows : {10U, 40U, 400U})
    for (const int values : {2, 4, 40, 400})
      for (int classes = 2; classes <= 5; ++classes) {
        OneColumn table =
            made_of(rows, values, values <= 4 ? levels : number, [&](int value) { return value % classes; });
        table.classes = static_cast<std::size_t>(classes);
        for (int trial = 0; trial < 20; ++trial) {
          table.permute_labels();
          EXPECT_EQ(table.warning(), "") << rows << " rows, " << values << " values, " << classes;
        }
      }
}

// A copy of a row is no evidence: thirty different rows with a label each, often repeated, determine nothing.
TEST(LabelColumns, CopiesCountOnce) {
  OneColumn once;
  for (int i = 0; i < 30; ++i) once.add(i, once.coin());
  OneColumn copied = once;
  for (int k = 0; k < 20; ++k) {
    copied.x.insert(copied.x.end(), once.x.begin(), once.x.end());
    copied.y.insert(copied.y.end(), once.y.begin(), once.y.end());
  }
  EXPECT_EQ(copied.warning(), "");
  OneColumn alias = made_of(60, 2, levels, [](int value) { return value; });
  alias.x.insert(alias.x.end(), alias.x.begin(), alias.x.begin() + 60);
  alias.y.insert(alias.y.end(), alias.y.begin(), alias.y.begin() + 30);
  EXPECT_EQ(alias.warning(), of_alive);
}

TEST(LabelColumns, ErrorsCountWithTheirWeights) {
  OneColumn table = made_of(60, 2, levels, [](int value) { return value; });
  table.y[0] = 1;
  EXPECT_EQ(table.warning(), "");
  table.weights.assign(60, 1);
  table.weights[0] = 0;
  EXPECT_EQ(table.warning(), of_alive);
  table.weights[0] = 0.1;
  EXPECT_NE(table.warning().find("accuracy 0.9983"), std::string::npos) << table.warning();
}

TEST(LabelColumns, SeveralAreNamedTogether) {
  OneColumn table = made_of(60, 2, number, [](int value) { return value; });
  for (std::size_t i = 0; i < 60; ++i) table.x[2 * i + 1] = -static_cast<double>(i) - 1000 * table.y[i];
  EXPECT_EQ(table.warning(),
            "each of the columns alive, noise alone determines the label (accuracy at least 1.0000): are "
            "they other "
            "names of the label? Drop them if so");
}

TEST(LabelColumns, AFitSaysSo) {
  const OneColumn table = made_of(60, 2, number, [](int value) { return value; });
  Options options;
  options.method = Method::vi_jj;
  const Report report =
      fit({table.x.data(), 60, 2}, table.y, options, {}, {.features = {"alive", "noise"}}).report;
  EXPECT_EQ(report.warnings, std::vector<std::string>{of_alive});
}

}  // namespace
}  // namespace induce::testing::label_columns
