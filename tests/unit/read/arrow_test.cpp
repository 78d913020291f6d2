// Arrow columns. Oracle: the same table as CSV text.
#include "read/arrow.hpp"

#include <cmath>
#include <cstring>
#include <deque>

#include "read/arrow_columns.hpp"
#include "temporary.hpp"

namespace induce::test {
namespace {

// A column of an Arrow array, made by hand.
struct MadeColumn {
  std::string name, format;
  std::vector<std::string> buffers;  // the first has a bit for each cell that is not missing; empty: all
  std::shared_ptr<MadeColumn> levels{};
  std::int64_t length = 0;
};

template <class Number>
std::string bytes_of(const std::vector<Number>& numbers) {
  std::string bytes(numbers.size() * sizeof(Number), '\0');
  std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return bytes;
}

MadeColumn texts(const std::string& name, const std::vector<std::string>& cells,
                 const std::string& present = {}) {
  std::vector<std::int32_t> offsets{0};
  std::string all;
  for (const std::string& cell : cells) offsets.push_back(static_cast<std::int32_t>((all += cell).size()));
  return {name, "u", {present, bytes_of(offsets), all}, {}, static_cast<std::int64_t>(cells.size())};
}

// Streams of batches that all have the same columns; memory belongs to the test.
class MadeTable {
 public:
  MadeTable(std::vector<MadeColumn> columns, int batches, std::int64_t rows, std::int64_t skipped)
      : columns_(std::move(columns)), batches_(batches), rows_(rows), skipped_(skipped) {}

  ArrowArrayStream stream() {
    given_ = 0;
    ArrowArrayStream made{};
    made.private_data = this;
    made.get_schema = [](ArrowArrayStream* self, ArrowSchema* out) {
      *out = static_cast<MadeTable*>(self->private_data)->schema();
      return 0;
    };
    made.get_next = [](ArrowArrayStream* self, ArrowArray* out) {
      auto& table = *static_cast<MadeTable*>(self->private_data);
      if (table.given_++ < table.batches_) *out = table.batch();
      return 0;
    };
    made.get_last_error = [](ArrowArrayStream*) -> const char* { return "no"; };
    made.release = [](ArrowArrayStream*) {};
    return made;
  }

 private:
  ArrowSchema schema_of(const MadeColumn& column) {
    ArrowSchema made{};
    made.format = column.format.c_str();
    made.name = column.name.c_str();
    made.release = [](ArrowSchema*) {};
    if (column.levels) made.dictionary = &schemas_.emplace_back(schema_of(*column.levels));
    return made;
  }
  ArrowSchema schema() {
    children_.clear();
    for (const MadeColumn& column : columns_) {
      ArrowSchema& child = schemas_.emplace_back(schema_of(column));
      children_.push_back(&child);
    }
    ArrowSchema made{};
    made.format = "+s";
    made.n_children = static_cast<std::int64_t>(children_.size());
    made.children = children_.data();
    made.release = [](ArrowSchema*) {};
    return made;
  }
  ArrowArray array_of(const MadeColumn& column, std::int64_t length, std::int64_t offset) {
    std::vector<const void*>& buffers = buffers_.emplace_back();
    for (const std::string& bytes : column.buffers)
      buffers.push_back(bytes.empty() && buffers.empty() ? nullptr : bytes.data());
    ArrowArray made{};
    made.length = length;
    made.offset = offset;
    made.n_buffers = static_cast<std::int64_t>(buffers.size());
    made.buffers = buffers.data();
    made.release = [](ArrowArray*) {};
    if (column.levels)
      made.dictionary = &arrays_.emplace_back(array_of(*column.levels, column.levels->length, 0));
    return made;
  }
  ArrowArray batch() {
    std::vector<ArrowArray*>& children = parts_.emplace_back();
    for (const MadeColumn& column : columns_)
      children.push_back(&arrays_.emplace_back(array_of(column, rows_, skipped_)));
    ArrowArray made{};
    made.length = rows_;
    made.n_children = static_cast<std::int64_t>(children.size());
    made.children = children.data();
    made.release = [](ArrowArray*) {};
    return made;
  }

  std::vector<MadeColumn> columns_;
  int batches_, given_ = 0;
  std::int64_t rows_, skipped_;
  std::vector<ArrowSchema*> children_;
  std::deque<ArrowSchema> schemas_;
  std::deque<ArrowArray> arrays_;
  std::deque<std::vector<const void*>> buffers_;
  std::deque<std::vector<ArrowArray*>> parts_;
};

class Arrow : public TemporaryFiles {
 protected:
  ~Arrow() override { open_arrow_files_with({}); }

  Dataset read_arrow(MadeTable& table, const ReadOptions& options = {}) {
    open_arrow_files_with([&](const std::string&) { return table.stream(); });
    return read_dataset(write("table.parquet", "PAR1 and more"), options);
  }
};

void expect_same(const Dataset& found, const Dataset& want) {
  EXPECT_EQ(found.names.classes, want.names.classes);
  EXPECT_EQ(found.names.features, want.names.features);
  EXPECT_EQ(found.names.columns, want.names.columns);
  EXPECT_EQ(found.y, want.y);
  ASSERT_EQ(found.X.rows(), want.X.rows());
  ASSERT_EQ(found.X.cols(), want.X.cols());
  for (Index i = 0; i < found.X.size(); ++i)
    EXPECT_TRUE(found.X.data()[i] == want.X.data()[i] ||
                (std::isnan(found.X.data()[i]) && std::isnan(want.X.data()[i])))
        << i << ": " << found.X.data()[i] << ", want " << want.X.data()[i];
}

// Every array has a cell before its first row, which its offset skips.
std::vector<MadeColumn> all_types() {
  const std::string gap(1, '\x0b');  // the third of four cells is missing
  MadeColumn code{"code", "c", {"", bytes_of<std::int8_t>({0, 1, 0, 1})}};
  code.levels = std::make_shared<MadeColumn>(texts("", {"7", "8"}));
  return {{"small", "s", {gap, bytes_of<std::int16_t>({9, -3, 0, 5})}},
          {"large", "L", {"", bytes_of<std::uint64_t>({9, 1, 1ULL << 60, 3})}},
          {"single", "f", {"", bytes_of<float>({9, .5F, 1.25F, -2})}},
          {"twice", "g", {"", bytes_of<double>({9, .1, 1e300, -2})}},
          {"half", "e", {"", bytes_of<std::uint16_t>({0, 0x3c00, 0xc100, 0x0001})}},
          {"money", "d:9,2", {"", bytes_of<std::int64_t>({9, 0, 150, 0, -25, -1, 3, 0})}},
          {"truth", "b", {gap, std::string(1, '\x02')}},
          texts("word", {"skipped", "red", "", "a, \"b\""}, gap),
          texts("number", {"skipped", "1.5", "NA", "7"}),
          {"day", "tdD", {gap, bytes_of<std::int32_t>({0, 1, 0, -1})}},
          {"moment", "tsn:UTC", {"", bytes_of<std::int64_t>({0, 43'200'000'000'000, -250'000'000, 1'999})}},
          code,
          {"nothing", "n", {}},
          texts("label", {"skipped", "yes", "no", "yes"})};
}

TEST_F(Arrow, HasTheColumnsOfTheSameText) {
  MadeTable table(all_types(), 2, 3, 1);
  const std::string rows =
      "-3,1,.5,.1,1,1.5,true,red,1.5,1970-01-02,1970-01-01 12:00,8,,yes\n"
      ",1152921504606846976,1.25,1e300,-2.5,-0.25,,,NA,,1969-12-31 23:59:59.75,7,,no\n"
      "5,3,-2,-2,5.9604644775390625e-08,.03,false,\"a, \"\"b\"\"\",7,1969-12-31,1970-01-01 "
      "00:00:00.000001,8,,yes\n";
  ReadOptions options;
  options.categorical = {"code"};
  expect_same(read_arrow(table),
              read("small,large,single,twice,half,money,truth,word,number,day,moment,code,nothing,label\n" +
                       rows + rows,
                   options));
}

TEST_F(Arrow, NamesColumnAndTypeThatItCannotRead) {
  MadeTable table({{"x", "+l", {}}, texts("label", {"a", "b"})}, 1, 2, 0);
  try {
    read_arrow(table);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("column 'x' has the type list: must be numbers"),
              std::string::npos)
        << error.what();
  }
}

TEST_F(Arrow, ColumnsThatAreDroppedMayHoldAnything) {
  MadeTable table({{"x", "+l", {}}, {"z", "g", {"", bytes_of<double>({1, 2})}}, texts("label", {"a", "b"})},
                  1, 2, 0);
  ReadOptions options;
  options.drop = {"x"};
  expect_same(read_arrow(table, options), read("x,z,label\n,1,a\n,2,b\n", options));
}

TEST_F(Arrow, LargeBatchesAreCut) {
  constexpr int rows = 300'000;
  std::vector<double> numbers;
  std::vector<std::string> labels;
  for (int i = 0; i < rows; ++i) {
    numbers.push_back(.5 + i);
    labels.push_back(i % 3 == 0 ? "a" : "b");
  }
  MadeTable table({{"x", "g", {"", bytes_of(numbers)}}, texts("label", labels)}, 1, rows, 0);
  const Dataset data = read_arrow(table);
  ASSERT_EQ(data.X.rows(), rows);
  for (int i = 0; i < rows; ++i) {
    ASSERT_EQ(data.X(i, 0), .5 + i);
    ASSERT_EQ(data.y[static_cast<std::size_t>(i)], i % 3 == 0 ? 0 : 1);
  }
}

TEST_F(Arrow, TypesDecideAboutNumbers) {
  const auto message = [&](const MadeColumn& column, const std::vector<std::string>& numeric) {
    MadeTable table({column, texts("label", {"a", "b"})}, 1, 2, 0);
    ReadOptions options;
    options.numeric = numeric;
    try {
      const Dataset data = read_arrow(table, options);
      return std::to_string(data.X(0, 0)) + " " + std::to_string(data.X(1, 0));
    } catch (const Error& error) {
      return std::string(error.what());
    }
  };
  EXPECT_EQ(message({"x", "b", {"", std::string(1, '\x02')}}, {"x"}), "0.000000 1.000000");
  EXPECT_NE(message({"x", "tdD", {"", bytes_of<std::int32_t>({0, 1})}}, {"x"})
                .find("column 1 ('x') has dates: it must have numbers"),
            std::string::npos);
  EXPECT_NE(message({"x", "g", {"", bytes_of<double>({1, -HUGE_VAL})}}, {})
                .find("row 2: column 1 ('x'): '-inf' is infinite; values must be finite"),
            std::string::npos);
}

TEST(ArrowColumns, AreAStreamThatKeepsThem) {
  const auto numbers = std::make_shared<std::vector<double>>(std::vector<double>{1.5, missing_cell});
  const std::weak_ptr<const void> watched = numbers;
  const std::string bits(1, '\x02'), codes = bytes_of<std::int8_t>({0, 1}), letters = "redblue",
                                     ends = bytes_of<std::int64_t>({0, 3, 7});
  std::optional<ArrowBatch> batch;
  {
    std::vector<std::unique_ptr<ArrowCells>> columns;
    columns.push_back(
        std::make_unique<ArrowCells>("g", 2, std::vector<const void*>{nullptr, numbers->data()}, numbers));
    columns.push_back(std::make_unique<ArrowCells>(
        "c", 2, std::vector<const void*>{bits.data(), codes.data()}, nullptr,
        std::make_unique<ArrowCells>("U", 2, std::vector<const void*>{nullptr, ends.data(), letters.data()},
                                     nullptr)));
    ArrowStream stream(stream_of_columns({"x", "color"}, std::move(columns), 2), "");
    EXPECT_EQ(stream.columns()[1].name, "color");
    EXPECT_EQ(stream.columns()[1].type.storage, Storage::category);
    batch = stream.next();
    EXPECT_FALSE(stream.next());
  }
  ASSERT_EQ(batch->rows(), 2U);
  std::string room;
  EXPECT_EQ(batch->number(0, 0), 1.5);
  EXPECT_TRUE(std::isnan(batch->number(0, 1)));
  EXPECT_EQ(batch->text(1, 0, room), "");
  EXPECT_EQ(batch->part(1, 1).text(1, 0, room), "blue");
  EXPECT_EQ(watched.use_count(), 2);
  batch.reset();
  EXPECT_EQ(watched.use_count(), 1);
}

TEST_F(Arrow, PlacesAreRows) {
  MadeTable table({texts("x", {"1", "2", "inf", "4"}), texts("label", {"a", "b", "a", "b"})}, 1, 4, 0);
  try {
    read_arrow(table);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("table.parquet', row 3: column 1 ('x')"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace induce::test
