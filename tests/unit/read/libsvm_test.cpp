// LIBSVM text: every accepted variant and every error. Expected tables are written by hand.
#include "temporary.hpp"

namespace induce::test {
namespace {

class Libsvm : public TemporaryFiles {};

TEST_F(Libsvm, ADenseFileMustHaveAllFeatures) {
  ReadOptions options;
  options.features = 3;
  options.dense_shows_all = true;
  expect_refused("+1 1:1 2:2\n-1 1:3 2:4\n", {"2 features in every row, expected 3"}, options);
  EXPECT_EQ(read("+1 1:1 2:2\n-1 2:4\n", options).X, table({{1, 2, 0}, {0, 4, 0}}));
  options.dense_shows_all = false;
  EXPECT_EQ(read("+1 1:1 2:2\n-1 1:3 2:4\n", options).X, table({{1, 2, 0}, {3, 4, 0}}));
}

TEST_F(Libsvm, OmittedFeaturesAreZero) {
  const Dataset data = read("+1 1:0.5 3:-2\n-1\n-1 2:1e3\n");
  EXPECT_EQ(data.X, table({{0.5, 0, -2}, {0, 0, 0}, {0, 1000, 0}}));
  EXPECT_EQ(data.y, (Ints{1, 0, 0}));
  EXPECT_EQ(data.names.classes[0], "-1");
  EXPECT_EQ(data.names.classes[1], "1");
  EXPECT_TRUE(data.names.features.empty());
}

TEST_F(Libsvm, CommentsBlanksTabsCrlfByteOrderMark) {
  const Dataset data =
      read("\xef\xbb\xbf# made by hand 7:7\r\n\r\n  a\t1:1   2:2 \r\nb 1:+3 # 2:9\r\n   # nothing\r\na 2:4");
  EXPECT_EQ(data.X, table({{1, 2}, {3, 0}, {0, 4}}));
  EXPECT_EQ(data.y, (Ints{0, 1, 0}));
}

TEST_F(Libsvm, QidIsIgnored) { EXPECT_EQ(read("1 qid:3 1:1 2:2\n0 qid:4 2:5\n").X, table({{1, 2}, {0, 5}})); }

TEST_F(Libsvm, FeaturesOption) {
  ReadOptions options;
  options.features = 4;
  EXPECT_EQ(read("1 1:1\n0 2:5\n", options).X, table({{1, 0, 0, 0}, {0, 5, 0, 0}}));
  expect_refused("1 1:1\n0 2:5 7:1\n", {"line 2", "index 7", "features, 4"}, options);
  options.features = 0;
  options.expected_features = {"a", "b", "c"};  // a model fitted to a CSV table
  EXPECT_EQ(read("1 1:1\n0 2:5\n", options).X.cols(), 3);
}

TEST_F(Libsvm, WithoutLabels) {
  ReadOptions options;
  options.labels_required = false;
  options.classes = {"-1", "1"};
  const Dataset data = read("1:1 2:2\n2:3\n", options);
  EXPECT_EQ(data.X, table({{1, 2}, {0, 3}}));
  EXPECT_TRUE(data.y.empty());
  EXPECT_EQ(read("+1 1:1 2:2\n+1 2:3\n", options).y, (Ints{1, 1}));
  expect_refused("1:1\n\n1 1:2\n", {"line 3", "the first has none"}, options);
  expect_refused("1 1:1\n1:2\n", {"line 2", "no label"}, options);
  expect_refused("1 1:1\n2 1:2\n", {"line 2", "'2'"}, options);
  expect_refused("1 1:1\n1:2\n", {"line 2", "no label"});
}

TEST_F(Libsvm, DetectsTheFormatFromTheContent) {
  EXPECT_EQ(read_dataset(write("a.csv", "1 1:2\n0 1:3\n")).X, table({{2}, {3}}));
  EXPECT_EQ(read_dataset(write("a.svm", "1,2,1\n0,3,0\n")).X, table({{1, 2}, {0, 3}}));
  EXPECT_EQ(read("1\n0\n1 2:5\n").X.cols(), 2);  // rows of zeros first
  expect_file_refused(write("b.svm", "1\n0\n"), {"no features"});
  ReadOptions options;
  options.features = 2;
  EXPECT_EQ(read_dataset(write("b.libsvm", "1\n0\n"), options).X, table({{0, 0}, {0, 0}}));
  options = {};
  options.format = Format::csv;
  expect_refused("1 1:2 2:1\n0 1:3\n", {"no features"}, options);
}

TEST_F(Libsvm, BadIndices) {
  expect_refused("1 1:1\n0 2:1 2:2\n", {"line 2", "index 2 after index 2", "ascend"});
  expect_refused("1 1:1\n0 3:1 2:2\n", {"line 2", "index 2 after index 3", "ascend"});
  expect_refused("1 1:1\n\n0 0:1\n", {"line 3", "index 0", "start at 1"});
  expect_refused("1 1:1\n0 -1:1\n", {"line 2", "'-1'"});
  expect_refused("1 1:1\n0 1.5:1\n", {"line 2", "'1.5'"});
  expect_refused("1 1:1\n0 :1\n", {"line 2", "':1'"});
  expect_refused("1 1:1\n0 99999999999999999999:1\n", {"line 2", "'99999999999999999999'"});
}

TEST_F(Libsvm, TableTooWide) {
  expect_refused("1 1:1\n0 900000000000:1\n",
                 {"the largest index is 900000000000: at most 20000000 columns"});
}

TEST_F(Libsvm, BadValues) {
  expect_refused("1 1:1\n0 1:abc\n", {"line 2", "index 1", "'abc' is not a number"});
  expect_refused("1 1:1\n0 1:1 2:\n", {"line 2", "index 2", "a number is required here"});
  expect_refused("1 1:1\n0 1: 2\n", {"line 2", "index 1", "a number is required here"});
  expect_refused("1 1:1\n0 1:nan\n", {"line 2", "index 1", "NaN"});
  expect_refused("1 1:1\n0 1:-inf\n", {"line 2", "index 1", "infinite"});
  expect_refused("1 1:1\n0 1:1 17\n", {"line 2", "'17' is not a pair"});
  expect_refused("1 1:1\n0 1:1:1\n", {"line 2", "'1:1' is not a number"});
}

TEST_F(Libsvm, EmptyAndCommentsOnly) {
  ReadOptions options;
  options.format = Format::libsvm;
  expect_refused("", {"is empty"}, options);
  expect_refused("# nothing\n", {"no rows"}, options);
}

TEST_F(Libsvm, OneClassAndThreeClasses) {
  expect_refused("+1 1:1\n1 1:2\n", {"all labels are '1'"});
  const Dataset data = read("10 1:1\n2 1:2\n3 1:3\n2 1:4\n");
  EXPECT_EQ(data.names.classes, (std::vector<std::string>{"2", "3", "10"}));
  EXPECT_EQ(data.y, (std::vector<int>{2, 0, 1, 0}));
}

TEST_F(Libsvm, ParallelChunksGiveTheSameTableAndTheFirstError) {
  // Oracle: the numbers written.
  const int n = 60000;
  std::string text;
  for (int i = 0; i < n; ++i)
    text += std::string(i % 2 ? "+1" : "-1") + " 1:" + std::to_string(i) + ".25 " +
            std::to_string(2 + i % 3) + ":-" + std::to_string(i) + "\n" +
            (i % 1000 == 0 ? "# a comment\n" : "");
  for (const int threads : {1, 2, 5}) {
    ReadOptions options;
    options.threads = threads;
    const Dataset data = read(text, options);
    ASSERT_EQ(data.X.rows(), n);
    ASSERT_EQ(data.X.cols(), 4);
    for (int i = 0; i < n; ++i) {
      ASSERT_EQ(data.y[i], i % 2);
      ASSERT_EQ(data.X(i, 0), i + 0.25);
      for (int f = 1; f < 4; ++f) ASSERT_EQ(data.X(i, f), f == 1 + i % 3 ? -i : 0);
    }
    std::string broken = text;
    broken.replace(broken.find(" 1:55000.25") + 1, 1, "0");
    broken.replace(broken.find(" 1:30000.25") + 1, 1, "0");
    // 30000 rows before it, 30 comments, and itself.
    expect_refused(broken, {"line 30031", "index 0"}, options);
  }
}

}  // namespace
}  // namespace induce::test
