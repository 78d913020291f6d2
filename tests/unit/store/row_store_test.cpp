// Rows in the order of their hashes, in memory and in files. Oracle: a sort of all rows by hash and contents.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <map>
#include <random>

#include <induce/error.hpp>

#include "store/file_store.hpp"
#include "store/memory_store.hpp"
#include "store/sample.hpp"
#include "store/row_order.hpp"

namespace induce::testing {
namespace {

// Few different values, so that many rows are equal; gaps, negative zeros and weights.
struct Rows {
  explicit Rows(int n, unsigned seed = 1) {
    std::mt19937 random(seed);
    for (int i = 0; i < n; ++i) {
      for (int f = 0; f < 3; ++f) {
        const int value = static_cast<int>(random() % 9);
        x.push_back(value == 0 ? NAN : value == 1 ? -0.0 : value == 2 ? 0.0 : value / 4.0);
      }
      y.push_back(static_cast<int>(random() % 2));
      weight.push_back(random() % 20 == 0 ? 0 : 0.1 * static_cast<double>(1 + random() % 5));
    }
  }
  TableView view() const { return {x.data(), y.size(), 3}; }

  std::vector<double> x, weight;
  std::vector<int> y;
};

struct Content {
  RowMatrix X;
  Vector label, weight;
  explicit Content(const RowStore& rows) : X(rows.n(), rows.columns()), label(rows.n()), weight(rows.n()) {
    for (Index first = 0; first < rows.n(); first += 7) {
      const Index count = std::min<Index>(7, rows.n() - first);
      rows.read(first, count,
                {.x = X.row(first).data(), .label = label.data() + first, .weight = weight.data() + first});
    }
  }
};

const std::vector<Index> order{2, 0, 1};

TEST(RowStore, AreMergedAndInTheOrderOfTheirHash) {
  const Rows rows(5000);
  Workers workers(2);
  const MemoryStore table(rows.view(), rows.y, rows.weight, order, workers);
  const Content content(table);
  using Key = std::pair<std::uint64_t, int>;
  std::map<Key, double> want;
  for (std::size_t i = 0; i < rows.y.size(); ++i)
    if (rows.weight[i] > 0)
      want[{hash_of_row(&rows.x[3 * i], 3, order, rows.y[i]), rows.y[i]}] += rows.weight[i];
  ASSERT_EQ(static_cast<std::size_t>(table.n()), want.size());
  Index i = 0;
  for (const auto& [key, weight] : want) {
    EXPECT_EQ(hash_of_row(content.X.row(i).data(), 3, order, static_cast<int>(content.label[i])), key.first);
    EXPECT_NEAR(content.weight[i], weight, 1e-12);
    ++i;
  }
  const Leaves& leaves = table.leaves();
  EXPECT_EQ(leaves.count(), 64);
  for (Index leaf = 0; leaf < leaves.count(); ++leaf)
    for (Index row = leaves.begin[leaf]; row < leaves.begin[leaf + 1]; ++row)
      EXPECT_EQ(
          leaf_of_hash(hash_of_row(content.X.row(row).data(), 3, order, static_cast<int>(content.label[row])),
                       64),
          leaf);
  EXPECT_EQ(table.facts().rows, 5000);
  EXPECT_EQ(table.facts().has_gaps, (std::vector<char>{1, 1, 1}));
  EXPECT_EQ(table.facts().most_gaps, 3);
}

bool same_bits(const RowMatrix& a, const RowMatrix& b) {  // NaN are equal
  return a.rows() == b.rows() &&
         std::memcmp(a.data(), b.data(), sizeof(double) * static_cast<std::size_t>(a.size())) == 0;
}

TEST(RowStore, InFilesAreThoseInMemory) {
  for (const int n : {1, 50, 20000}) {
    const Rows rows(n);
    Workers workers(2);
    const MemoryStore table(rows.view(), rows.y, rows.weight, order, workers);
    FileStore file(3, order, std::filesystem::temp_directory_path().string(), static_cast<std::size_t>(n));
    std::vector<int> from(static_cast<std::size_t>(n));  // in another order, in pieces
    for (int i = 0; i < n; ++i) from[static_cast<std::size_t>(i)] = n - 1 - i;
    for (const int i : from)
      file.add(&rows.x[static_cast<std::size_t>(3 * i)], 1, &rows.y[static_cast<std::size_t>(i)],
               &rows.weight[static_cast<std::size_t>(i)]);
    file.finish(workers);
    EXPECT_EQ(file.leaves().begin, table.leaves().begin);
    EXPECT_EQ(file.leaves().total, table.leaves().total);
    EXPECT_EQ(file.facts().identity, table.facts().identity);
    EXPECT_EQ(file.facts().class_rows, table.facts().class_rows);
    const Content a(file), b(table);
    EXPECT_EQ(a.label, b.label);
    EXPECT_EQ(a.weight, b.weight);
    EXPECT_TRUE(same_bits(a.X, b.X));
  }
}

TEST(RowStore, NumbersInFilesCanBeWrittenAndRead) {
  const FileStore file(1, {}, std::filesystem::temp_directory_path().string(), 0);
  const std::unique_ptr<RowNumbers> numbers = file.room(100, 2);
  Vector all(200), buffer(200);
  for (Index i = 0; i < 200; ++i) all[i] = static_cast<double>(i);
  numbers->write(50, 50, all.data() + 100);
  numbers->write(0, 50, all.data());
  EXPECT_EQ(Vector(Eigen::Map<const Vector>(numbers->read(0, 100, buffer.data()), 200)), all);
  EXPECT_EQ(numbers->read(30, 1, buffer.data())[1], 61);
}

TEST(RowStore, RoomIsCheckedUpFront) {
  try {
    FileStore(10, {}, std::filesystem::temp_directory_path().string(), std::size_t{1} << 50);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("in the scratch folder"), std::string::npos) << error.what();
  }
}

// Oracle: binomial counts. A row of a thousand copies is in the sample about as often as its share says, with both labels.
TEST(Sample, DrawsTheUsersRowsNotDistinctOnes) {
  std::vector<double> x(3000, 1.0);
  std::vector<int> y(3000);
  for (int i = 0; i < 3000; ++i) y[static_cast<std::size_t>(i)] = i % 3 == 0;
  Workers workers(2);
  const MemoryStore table({x.data(), 3000, 1}, y, {}, std::vector<Index>{0}, workers);
  ASSERT_EQ(table.n(), 2);
  const OwnedRows sample = draw_sample(table, 0.2);
  EXPECT_NEAR(static_cast<double>(sample.n()), 600, 5 * std::sqrt(480.0));
  const auto ones = std::count(sample.labels.begin(), sample.labels.end(), 1);
  EXPECT_NEAR(static_cast<double>(ones), static_cast<double>(sample.n()) / 3, 60);
  for (const double weight : sample.weights) EXPECT_EQ(weight, 1);
}

TEST(Sample, IsTheSameInFilesAndInParts) {
  const Rows rows(5000);
  Workers workers(2);
  const MemoryStore table(rows.view(), rows.y, rows.weight, order, workers);
  FileStore file(3, order, std::filesystem::temp_directory_path().string(), 5000);
  file.add(rows.x.data(), 5000, rows.y.data(), rows.weight.data());
  file.finish(workers);
  const OwnedRows a = draw_sample(table, 0.3), b = draw_sample(file, 0.3);
  EXPECT_TRUE(same_bits(a.matrix(), b.matrix()));
  EXPECT_EQ(a.labels, b.labels);
  EXPECT_EQ(a.weights, b.weights);
}

}  // namespace
}  // namespace induce::testing
