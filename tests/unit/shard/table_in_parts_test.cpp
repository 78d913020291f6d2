// A table that several processes read together. Oracle: read_dataset() in one.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>

#include <induce/error.hpp>

#include "read/read.hpp"
#include "shard/message.hpp"
#include "shard/part_reader.hpp"
#include "shard/shard.hpp"
#include "shard/table_in_parts.hpp"

namespace induce::testing {
namespace {

// Readers in this process.
class NearReaders final : public Carrier {
 public:
  explicit NearReaders(int count) {
    for (int k = 0; k < count; ++k) {
      shards_.push_back(std::make_unique<Shard>(workers_));
      readers_.push_back(std::make_unique<PartReader>(k, 1, *shards_.back()));
    }
  }
  int count() const override { return static_cast<int>(readers_.size()); }
  std::vector<std::string> ask(const std::vector<std::string>& requests) override {
    std::vector<std::string> answers;
    for (std::size_t k = 0; k < requests.size(); ++k)
      answers.push_back(readers_[k]->answer(requests[k]).value());
    if (!failure.empty()) {  // of the last one
      MessageWriter out;
      out.text(failure);
      out.text("far");
      answers.back() = out.take();
    }
    return answers;
  }

  std::string failure;

 private:
  Workers workers_{1};
  std::vector<std::unique_ptr<Shard>> shards_;
  std::vector<std::unique_ptr<PartReader>> readers_;
};

class ReadTogether : public ::testing::Test {
 protected:
  ReadTogether() : folder_(::testing::TempDir() + "/read_together") {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directory(folder_);
  }
  ~ReadTogether() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) {
    const std::string path = folder_ + "/" + name;
    std::ofstream(path) << text;
    return path;
  }

 private:
  std::string folder_;
};

void expect_same(const Dataset& found, const Dataset& want) {
  EXPECT_EQ(found.names.classes, want.names.classes);
  EXPECT_EQ(found.names.features, want.names.features);
  EXPECT_EQ(found.y, want.y);
  EXPECT_EQ(found.weights, want.weights);
  EXPECT_EQ(found.rows_with_gaps, want.rows_with_gaps);
  EXPECT_EQ(found.rows_without_label, want.rows_without_label);
  EXPECT_EQ(found.warnings, want.warnings);
  ASSERT_EQ(found.columns.size(), want.columns.size());
  for (std::size_t k = 0; k < found.columns.size(); ++k) {
    EXPECT_EQ(found.columns[k].kind, want.columns[k].kind);
    EXPECT_EQ(found.columns[k].missing, want.columns[k].missing);
  }
  ASSERT_EQ(found.X.rows(), want.X.rows());
  ASSERT_EQ(found.X.cols(), want.X.cols());
  for (Index i = 0; i < found.X.size(); ++i)
    EXPECT_TRUE(found.X.data()[i] == want.X.data()[i] ||
                (std::isnan(found.X.data()[i]) && std::isnan(want.X.data()[i])));
}

std::string rows(int begin, int end) {
  std::string text;
  for (int i = begin; i < end; ++i)
    text += (i % 9 == 0 ? std::string() : std::to_string(i) + ".5") + "," + (i < 150 ? "7" : "seven") + "," +
            (i % 11 == 0  ? ""
             : i % 3 == 0 ? "yes"
                          : "no") +
            ",0.1\n";
  return text;
}

TEST_F(ReadTogether, HasTheRowsOfOneProcess) {
  const std::string header = "a,b,answer,w\n";
  const std::string quoted = "1,\"7\nor 8\",yes,.1\n";  // tears a part
  const std::vector<std::vector<std::string>> tables{
      {write("one.csv", header + rows(0, 200))},
      {write("torn.csv", header + rows(0, 60) + quoted + rows(60, 200))},
      {write("p0.csv", header + rows(0, 3)), write("p1.csv", header + rows(3, 150)), write("p2.csv", ""),
       write("p3.csv", header + rows(150, 200))}};
  ReadOptions how;
  how.weight = "w";
  how.label = "answer";
  for (const std::vector<std::string>& files : tables) {
    const Dataset want = read_dataset(files, how);
    for (const int count : {1, 2, 3, 7}) {
      NearReaders near(count);
      std::optional<TableInParts> table = TableInParts::read(near, files, how);
      ASSERT_TRUE(table);
      EXPECT_EQ(table->shape().rows, want.y.size());
      double sum = 0;
      for (const double of_class : table->class_weights()) sum += of_class;
      EXPECT_NEAR(sum, .1 * static_cast<double>(want.y.size()), 1e-12);
      const Dataset found = table->gather();
      expect_same(found, want);

      NearReaders keeping(count);
      const Dataset known = TableInParts::read(keeping, files, how)->keep({1, 2});
      EXPECT_EQ(known.rows_with_gaps, want.rows_with_gaps);
      EXPECT_EQ(known.features(), want.features());
      EXPECT_EQ(known.rows(), 0);
    }
  }
}

TEST_F(ReadTogether, LeavesAloneWhatCannotBeDivided) {
  NearReaders near(2);
  EXPECT_FALSE(TableInParts::read(near, {write("t.svm", "1 1:2\n0 2:3\n")}, {}));
  EXPECT_FALSE(TableInParts::read(near, {"-"}, {}));
}

TEST_F(ReadTogether, ReportsErrorsOnceAndInTheOrderOfRows) {
  const auto message = [](const auto& read) {
    try {
      read();
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string header = "a,b,label,w\n";
  const std::vector<std::string> files{write("e0.csv", header + rows(0, 50) + "1,2\n" + rows(50, 60)),
                                       write("e1.csv", header + rows(0, 50))};
  NearReaders near(2);
  const auto together = [&] { TableInParts::read(near, files, {}); };
  const std::string want = message([&] { read_dataset(files); });
  EXPECT_NE(want.find("line 52"), std::string::npos) << want;
  EXPECT_EQ(message(together), want);
  near.failure = "'e1.csv' cannot be opened: Permission denied";
  EXPECT_EQ(message(together), want);  // one process would not have come so far
  write("e0.csv", header + rows(0, 50));
  EXPECT_EQ(message(together), near.failure + " (on far)");
}

}  // namespace
}  // namespace induce::testing
