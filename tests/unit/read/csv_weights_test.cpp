// The weight column of a CSV table. Expected tables are written by hand.
#include "temporary.hpp"

namespace induce::test {
namespace {

class CsvWeights : public TemporaryFiles {
 protected:
  static ReadOptions with_weight(const std::string& column, const std::string& label = "") {
    ReadOptions options;
    options.weight = column;
    options.label = label;
    return options;
  }
  // Options as used by predict and eval for a fitted model.
  static ReadOptions of_model(const Strings& features, const std::string& weight) {
    ReadOptions options = with_weight(weight, "class");
    options.expected_features = features;
    options.features = 2;
    options.weights_required = false;
    options.ignore_weights = true;
    return options;
  }
};

const RowMatrix weighted_X = table({{1, 2}, {3, 4.5}, {5, 6}});
const Ints weighted_y{0, 1, 0};
const std::vector<double> weights_of_X{2, 0, 0.5};

void expect_weighted(const Dataset& data) {
  EXPECT_EQ(data.X, weighted_X);
  EXPECT_EQ(data.y, weighted_y);
  EXPECT_EQ(data.weights, weights_of_X);
}

void expect_without_weights(const Dataset& data) {
  EXPECT_EQ(data.X, weighted_X);
  EXPECT_EQ(data.y, weighted_y);
  EXPECT_TRUE(data.weights.empty());
}

TEST_F(CsvWeights, ByNameAndByIndex) {
  const std::string body = "1,2,2,0\n3,4.5,+0,1\n5,\"6\", \"5e-1\" ,0\n";
  for (const char* column : {"w", "2", "-2"}) {
    const Dataset data = read("a,w2,w,class\n" + body, with_weight(column));
    expect_weighted(data);
    EXPECT_EQ(data.names.features, (Strings{"a", "w2"}));
    EXPECT_EQ(data.names.label, "class");
    EXPECT_EQ(data.names.weight, "w");
  }
  for (const char* column : {"2", "-2"}) {
    const Dataset data = read(body, with_weight(column));
    expect_weighted(data);
    EXPECT_EQ(data.names.weight, "2");
  }
}

TEST_F(CsvWeights, IsAFeatureWithoutTheOption) {
  const Dataset data = read("a,weight,class\n1,2,0\n3,4.5,1\n5,6,0\n");
  expect_without_weights(data);
  EXPECT_EQ(data.names.weight, "");
}

TEST_F(CsvWeights, LabelIsTheLastOfTheOtherColumns) {
  const std::string body = "1,2,0,2\n3,4.5,1,0\n5,6,0,0.5\n";
  expect_weighted(read(body, with_weight("-1")));
  expect_weighted(read("a,b,class,w\n" + body, with_weight("w")));
  expect_weighted(read("a,b,class,y\n" + body, with_weight("y")));  // not the label despite its usual name
  expect_weighted(read("0,1,label,w\n" + body, with_weight("3")));
  expect_weighted(read("2,0,1,2\n0,1,3,4.5\n0.5,0,5,6\n", with_weight("0", "1")));
}

TEST_F(CsvWeights, NameMakesTheFirstLineAHeader) {
  expect_weighted(read("2019,2020,class,w\n1,2,0,2\n3,4.5,1,0\n5,6,0,0.5\n", with_weight("w")));
}

TEST_F(CsvWeights, MissingColumn) {
  const std::string body = "1,2,0\n3,4,1\n";
  expect_refused("a,b,y\n" + body, {"no column named 'w'", "'a', 'b', 'y'"}, with_weight("w"), Fault::usage);
  expect_refused(body, {"no column named 'w'", "no header"}, with_weight("w"), Fault::usage);
  expect_refused(body, {"weight column 3", "3 columns", "-3 to 2"}, with_weight("3"), Fault::usage);
  expect_refused(body, {"weight column -4", "-3 to 2"}, with_weight("-4"), Fault::usage);
}

TEST_F(CsvWeights, LabelAndWeightMustDiffer) {
  expect_refused("a,b,y\n1,2,0\n3,4,1\n", {"column 2 ('b')", "label", "weight"}, with_weight("b", "1"),
                 Fault::usage);
  expect_refused("1,2,0\n3,4,1\n", {"column 3", "label", "weight"}, with_weight("-1", "2"), Fault::usage);
  expect_refused("a,b,y\n1,2,0\n3,4,1\n", {"column 3 ('y')", "label", "weight"}, with_weight("y", "y"),
                 Fault::usage);
}

TEST_F(CsvWeights, LibsvmHasNoWeights) {
  expect_refused("1 1:2\n0 1:3\n", {"weight column 'w'", "LIBSVM", "CSV"}, with_weight("w"), Fault::usage);
  ReadOptions options = of_model({}, "w");
  options.features = 1;
  EXPECT_EQ(read("1 1:2\n0 1:3\n", options).X, table({{2}, {3}}));
}

TEST_F(CsvWeights, BadWeightsNameLineColumnValueAndLimit) {
  const struct {
    std::string value, why;
  } bad[] = {{"-1", "'-1' is negative"},
             {"\"-0.5\"", "'-0.5' is negative"},
             {"-1e-300", "is negative"},
             {"two", "'two' is not a number"},
             {"", "missing"},
             {"NA", "'NA' is a missing value"},
             {"nan", "'nan' is NaN"},
             {"inf", "'inf' is infinite"},
             {"1e999", "'1e999' is too large"}};
  for (const auto& [value, why] : bad)
    expect_refused("a,w,y\n1,1,0\n\n2," + value + ",1\n",
                   {"line 4", "column 2 ('w')", why, "a weight must be a finite number >= 0"},
                   with_weight("w"));
  expect_refused("1,1,0\n2,-1,1\n", {"line 2", "column 2", "'-1'"}, with_weight("1"));
  expect_refused("1,1,0\n2,-1,1,5\n", {"line 2", "4 columns", "expected 3"}, with_weight("1"));
}

TEST_F(CsvWeights, ModelSkipsItsWeightColumnByName) {
  ReadOptions options = of_model({"a", "b"}, "w");
  expect_without_weights(read("w,b,class,a\n?,2,0,1\n?,4.5,1,3\n?,6,0,5\n", options));
  expect_without_weights(read("b,class,a\n2,0,1\n4.5,1,3\n6,0,5\n", options));
  options.labels_required = false;
  for (const char* text : {"w,b,a\nx,2,1\nx,4.5,3\nx,6,5\n", "b,a,w\n2,1,x\n4.5,3,x\n6,5,x\n"}) {
    const Dataset data = read(text, options);
    EXPECT_EQ(data.X, weighted_X);
    EXPECT_TRUE(data.y.empty() && data.weights.empty());
  }
  options.label = "";
  EXPECT_EQ(read("b,a,w\n2,1,x\n4.5,3,x\n6,5,x\n", options).X, weighted_X);
  expect_refused("b,a,w,class\n2,1,x,0\n", {"lacks 'c'"}, of_model({"a", "c"}, "w"));
}

TEST_F(CsvWeights, DetectedByColumnCountWithoutNames) {
  ReadOptions options = of_model({}, "1");
  options.label = "";
  expect_without_weights(read("1,x,2,0\n3,x,4.5,1\n5,x,6,0\n", options));
  expect_without_weights(read("1,2,0\n3,4.5,1\n5,6,0\n", options));
  options.labels_required = false;
  EXPECT_EQ(read("1,2\n3,4.5\n5,6\n", options).X, weighted_X);
  expect_refused("1,2,3,4,0\n", {"4 feature columns", "expected 2 features"}, options);
}

TEST_F(CsvWeights, ParallelChunksGiveTheSameWeights) {
  const int n = 60000;
  std::string text = "a,w,class\n";
  for (int i = 0; i < n; ++i)
    text += std::to_string(i) + ".25," + std::to_string(i % 100) + ".5000000000000,class " +
            std::to_string(i % 3 / 2) + "\n";
  ASSERT_GT(text.size(), 1500000U);
  for (const int threads : {1, 2, 5}) {
    ReadOptions options = with_weight("w");
    options.threads = threads;
    const Dataset data = read(text, options);
    ASSERT_EQ(data.weights.size(), std::size_t{n});
    for (int i = 0; i < n; ++i) ASSERT_EQ(data.weights[i], i % 100 + 0.5);
  }
}

}  // namespace
}  // namespace induce::test
