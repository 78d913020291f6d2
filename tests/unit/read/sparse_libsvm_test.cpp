// LIBSVM text of a table that stays sparse. Oracle: the numbers that the text was made from.
#include "temporary.hpp"

#include "linalg/random.hpp"

namespace induce::test {
namespace {

class SparseLibsvm : public TemporaryFiles {};

TEST_F(SparseLibsvm, EntriesAreThoseOfTheText) {
  Random random(3);
  SparseRows want;
  want.d = 5000;
  std::string text;
  std::vector<int> y;
  for (int i = 0; i < 2000; ++i) {
    std::vector<double> row(5000, 0.0);
    y.push_back(i % 5 == 0);
    text += std::to_string(y.back()) + (i % 7 == 0 ? " qid:3" : "");
    for (std::size_t f = random.below(400); f < 5000; f += 1 + random.below(800)) {
      row[f] = random.below(5) == 0 ? 0 : static_cast<double>(random.below(1000)) / 8;
      char pair[64];
      std::snprintf(pair, sizeof pair, " %zu:%.17g", f + 1, row[f]);
      text += pair;
    }
    if (i == 17) {
      row[4999] = 1;
      text += " 5000:1";
    }
    text += i % 11 == 0 ? " # 9:9\n\n" : "\n";
    want.add_dense(row.data());
  }
  for (const int threads : {1, 3}) {
    ReadOptions options;
    options.threads = threads;
    const Dataset data = read(text, options);
    ASSERT_TRUE(data.sparse);
    EXPECT_EQ(data.X.size(), 0);
    EXPECT_EQ(data.rows(), 2000U);
    EXPECT_EQ(data.features(), 5000U);
    EXPECT_EQ(data.sparse->row_start, want.row_start);
    EXPECT_EQ(data.sparse->column, want.column);
    EXPECT_EQ(data.sparse->value, want.value);
    EXPECT_EQ(data.y, y);
  }
}

TEST_F(SparseLibsvm, RowsWithoutALabelAreLeftOut) {
  const Dataset data = read("a 1:1 3000:2\nnan 5:1\nb 7:4\n");
  ASSERT_TRUE(data.sparse);
  EXPECT_EQ(data.rows_without_label, 1U);
  EXPECT_EQ(data.sparse->value, (std::vector<double>{1, 2, 4}));
  EXPECT_EQ(data.sparse->n(), 2U);
}

TEST_F(SparseLibsvm, ErrorsNameTheLine) {
  expect_refused("1 1:1 3000:2\n0 2:1 1:1\n", {"line 2", "index 1 after index 2"});
  expect_refused("1 1:1 3000:2\n0 2:x\n", {"line 2", "'x'"});
  expect_refused("1 1:1 300000000:2\n0 2:1\n", {"the largest index is 300000000: at most 20000000 columns"});
}

}  // namespace
}  // namespace induce::test
