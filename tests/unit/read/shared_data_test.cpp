// The real data sets, if available. Oracle: the table in their README.
#include <algorithm>
#include <filesystem>
#include <map>

#include <gtest/gtest.h>

#include "read/read.hpp"

namespace induce::test {
namespace {

struct Expected {
  Index rows, features;
  long positives;  // -1: only known for train and test together
};

const std::map<std::string, Expected> expected_tables{
    {"german.train", {800, 24, -1}},
    {"german.test", {200, 24, -1}},
    {"svmguide1.train", {3089, 4, 2000}},
    {"svmguide1.test", {4000, 4, 2000}},
    {"magic.train", {15216, 10, -1}},
    {"magic.test", {3804, 10, -1}},
    {"ijcnn1.train", {49990, 22, 4853}},
    {"ijcnn1.test", {91701, 22, 8712}},
    {"cod-rna.train", {59535, 8, 19845}},
    {"cod-rna.test", {271617, 8, 90539}},
    {"skin_nonskin.train", {196046, 3, -1}},
    {"skin_nonskin.test", {49011, 3, -1}},
    {"a8a.train", {22696, 123, 5506}},
    {"a8a.test", {9865, 122, 2335}},
    {"banana", {5300, 2, 2376}},
};

const std::map<std::string, long> total_positives{{"german", 300}, {"magic", 12332}, {"skin_nonskin", 50859}};

class SharedData : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::is_directory(folder_)) GTEST_SKIP() << "shared data not found: " << folder_;
  }
  const std::filesystem::path folder_ = std::filesystem::path(INDUCE_SHARED) / "data";
};

TEST_F(SharedData, BinaryFilesHaveTheExpectedRowsFeaturesAndClasses) {
  std::map<std::string, long> sums;
  std::size_t seen = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
    const std::string file = entry.path().filename().string();
    if (!file.ends_with(".svm.xz")) continue;
    const std::string name = file.substr(0, file.size() - 7);
    ASSERT_TRUE(expected_tables.contains(name)) << name;
    const Expected& expected = expected_tables.at(name);
    const Dataset data = read_dataset(entry.path().string());
    EXPECT_EQ(data.X.rows(), expected.rows) << name;
    EXPECT_EQ(data.X.cols(), expected.features) << name;
    EXPECT_TRUE(data.X.allFinite()) << name;
    EXPECT_EQ(data.names.classes[0], "-1") << name;
    EXPECT_EQ(data.names.classes[1], "1") << name;
    const long positives = std::count(data.y.begin(), data.y.end(), 1);
    if (expected.positives >= 0) {
      EXPECT_EQ(positives, expected.positives) << name;
    }
    sums[name.substr(0, name.find('.'))] += positives;
    ++seen;
  }
  EXPECT_EQ(seen, expected_tables.size());
  for (const auto& [name, positives] : total_positives) EXPECT_EQ(sums[name], positives) << name;
}

TEST_F(SharedData, FeaturesAbsentFromATestFileAreZero) {
  ReadOptions options;
  options.features = 123;
  const Dataset data = read_dataset((folder_ / "a8a.test.svm.xz").string(), options);
  EXPECT_EQ(data.X.cols(), 123);
  EXPECT_TRUE(data.X.col(122).isZero(0));
}

TEST_F(SharedData, ReadsMultiClassFiles) {
  const std::map<std::string, std::size_t> classes{{"satimage", 6}, {"usps.train", 10}, {"usps.test", 10}};
  for (const auto& [name, count] : classes) {
    const Dataset data = read_dataset((folder_ / "multiclass" / (name + ".svm.xz")).string());
    ASSERT_EQ(data.names.classes.size(), count) << name;
    for (std::size_t c = 0; c < count; ++c) {
      EXPECT_EQ(data.names.classes[c], std::to_string(count == 6 ? c + 1 : c)) << name;
      EXPECT_GT(std::count(data.y.begin(), data.y.end(), static_cast<int>(c)), 0) << name;
    }
  }
}

// Oracle: counted with Python's csv module.
TEST_F(SharedData, ReadsMixedFiles) {
  const std::filesystem::path mixed = folder_ / "mixed";
  if (!std::filesystem::is_directory(mixed)) GTEST_SKIP() << "not found: " << mixed;
  ReadOptions labelled;
  labelled.label = "income";
  const Dataset train = read_dataset((mixed / "adult.train.csv.xz").string(), labelled);
  EXPECT_EQ(train.X.rows(), 26049);
  EXPECT_EQ(train.names.label, "income");
  EXPECT_EQ(train.names.classes, (std::vector<std::string>{"<=50K", ">50K"}));
  EXPECT_EQ(std::count(train.y.begin(), train.y.end(), 1), 6252);
  EXPECT_EQ(train.rows_with_gaps, 1918U);
  EXPECT_TRUE(train.warnings.empty());
  const std::vector<std::size_t> levels{0, 8, 0, 16, 0, 7, 14, 6, 5, 2, 0, 0, 0, 41};  // 0: numbers
  ASSERT_EQ(train.names.columns.size(), levels.size());
  for (std::size_t f = 0; f < levels.size(); ++f) {
    EXPECT_EQ(train.names.columns[f].levels.size(), levels[f]) << train.names.features[f];
    EXPECT_EQ(train.names.columns[f].kind, levels[f] ? ColumnKind::category : ColumnKind::number);
  }
  ReadOptions options;
  options.expected_features = train.names.features;
  options.expected_columns = train.names.columns;
  options.classes = train.names.classes;
  options.label = train.names.label;
  EXPECT_EQ(read_dataset((mixed / "adult.test.csv.xz").string(), options).X.rows(), 6512);
}

}  // namespace
}  // namespace induce::test
