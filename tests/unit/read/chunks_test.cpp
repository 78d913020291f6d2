// Tables in chunks. Oracle: the same table in one piece, bit by bit, or the same message.
#include <bit>
#include <cstdint>
#include <deque>

#include "read/raw_table.hpp"
#include "temporary.hpp"

namespace induce::test {
namespace {

std::string text_of(const Dataset& data) {
  std::string text = std::to_string(data.X.rows()) + " rows:";
  for (const double x : data.X.reshaped<Eigen::RowMajor>())
    text += " " + std::to_string(std::bit_cast<std::uint64_t>(x));
  for (const int y : data.y) text += " y" + std::to_string(y);
  for (const double w : data.weights) text += " w" + std::to_string(w);
  for (const std::string& id : data.ids) text += " id " + id;
  for (const std::string& name : data.names.classes) text += " class " + name;
  for (const std::string& name : data.names.features) text += " feature " + name;
  text += " " + data.names.label + "," + data.names.weight + "," + data.id_name;
  for (const Column& column : data.names.columns) {
    text += " " + std::string(name_of(column.kind));
    for (const std::string& level : column.levels) text += "|" + level;
  }
  for (const ColumnSummary& column : data.columns)
    text += " " + column.name + "," + column.kind + "," + std::to_string(column.missing) + "," +
            std::to_string(column.levels) + (column.feature ? "," + std::to_string(*column.feature) : "");
  for (const std::size_t column : data.left_out) text += " without " + std::to_string(column);
  for (const std::string& warning : data.warnings) text += " " + warning;
  return text + " " + std::to_string(data.rows_with_gaps) + "," + std::to_string(data.rows_without_label);
}

// Rows are taken three at a time.
Dataset read_in_chunks(const Source& file, const ReadOptions& options, std::size_t chunk, RawRows to = {}) {
  ReadPlan plan = plan_reading({file}, options);
  plan.chunk_bytes = chunk;
  RawTable table(plan, std::move(to));
  const TableShape& shape = table.shape;
  EXPECT_FALSE(shape.sparse);
  Dataset data;
  data.X.resize(static_cast<Index>(shape.rows), static_cast<Index>(shape.features));
  data.y.resize(shape.labelled ? shape.rows : 0);
  data.weights.resize(shape.weighted ? shape.rows : 0);
  std::size_t number[3], count = 0, at = 0;
  while (
      (count = table.next(3, data.X.data() + at * shape.features, data.y.data() + (shape.labelled ? at : 0),
                          data.weights.data() + (shape.weighted ? at : 0), number)) > 0) {
    for (std::size_t i = 0; i < count && !table.ids.empty(); ++i) data.ids.push_back(table.ids[number[i]]);
    at += count;
  }
  EXPECT_EQ(at, shape.rows);
  std::vector<std::size_t> class_rows(shape.labelled ? shape.data.names.classes.size() : 0, 0);
  for (const int y : data.y) ++class_rows[static_cast<std::size_t>(y)];
  EXPECT_EQ(shape.class_rows, class_rows);
  Dataset known = table.description();
  known.X = std::move(data.X);
  known.y = std::move(data.y);
  known.weights = std::move(data.weights);
  known.ids = std::move(data.ids);
  return known;
}

template <class Read>
std::string result_of(const Read& read) {
  try {
    return text_of(read());
  } catch (const Error& error) {
    return std::string(error.fault() == Fault::usage ? "usage: " : "data: ") + error.what();
  }
}

void expect_same(const std::string& text, const ReadOptions& options = {}) {
  const std::string whole = result_of([&] { return parse_dataset(text, "table", options); });
  for (const std::size_t chunk : {std::size_t{1}, std::size_t{50}, ReadPlan::default_chunk})
    EXPECT_EQ(result_of([&] {
                return read_in_chunks({"table", text}, options, chunk);
              }),
              whole)
        << "chunks of " << chunk << " bytes";
}

std::string repeated(const std::string& header, const Strings& rows, int times) {
  std::string text = header;
  for (int i = 0; i < times; ++i) text += rows[static_cast<std::size_t>(i) % rows.size()];
  return text;
}

TEST(Chunks, EveryKindOfColumn) {
  expect_same("1,2,0\n3,4.5,1\n-5e-3,6,0\n");
  expect_same(
      "\xef\xbb\xbf# made by hand\n\nage,city,member,since,kind\r\n31,Bern,TRUE,2023-01-05,b\r\n?, Rome "
      ",false,NA,a\r\n"
      "40,,None,1970-01-02 12:00,a\r\n41,Bern,True,2023-01-06,b");
  expect_same("x;y\n\"red\";0\n \" red \" ;1\n\"a \"\"b\"\"\";1\n\"a; b\";0\n\"two\nlines\";1\n");
  expect_same("x;y\n3,5;0\n4;1\n-0,25;1\n1.234,5;0\n");
  expect_same("a,b,y\n1,x,0\n2,7,1\nmany,8,0\n3,2023-01-05,1\n");  // texts beside numbers and dates
  std::string ids = "name,x,nothing,y\n";
  for (int i = 0; i < 30; ++i)
    ids += "user" + std::to_string(i) + "," + std::to_string(i % 7) + ",NA," + std::to_string(i % 2) + "\n";
  expect_same(ids);
}

TEST(Chunks, LabelsWeightsAndIds) {
  ReadOptions options;
  options.weight = "w";
  options.id = "id";
  expect_same("a,id,w,y\n1,p,1,no\n2,q,2,\n,r,3,yes\n4,s,4,NA\n5,t,5,no\n", options);
  std::string quantity = "won,city,price\n", several = "won,sex,price\n";
  for (int i = 0; i < 30; ++i) {
    quantity += std::to_string(i % 2) + ",c" + std::to_string(i % 3) + "," + std::to_string(i) + ".5\n";
    several += std::to_string(i % 2) + (i % 3 ? ",m," : ",f,") + std::to_string(i) + ".5\n";
  }
  expect_same(quantity);  // the label is found by its values
  expect_same(several);   // refused
  expect_same("1,yes\n2,no\n3,Yes\n");
  options = {};
  options.classes = {"no", "yes"};
  expect_same("a,y\n1,\n2,yes\n3,no\n", options);
  options.labels_required = false;
  options.ignore_labels = true;
  options.expected_features = {"a"};
  expect_same("extra,a\n1,2\n2,3\n", options);
}

TEST(Chunks, Errors) {
  for (const char* text : {"", "\n \n", "# a\n#b\n", "a,b,label\n", "1,2,0\n\n3,4,5,1\n5,6\n",
                           "1,2,0\n3,inf,1\n", "1,2,a\n3,4,\"b\n5,6,a\n", "1,2,a\n3,\"4\"5,b\n",
                           "abc,2,0\n3,4,1\n4,5,0\n", "1,5\n2,5\n", "x;y\n1,234;0\n5;1\n", "x,y\n,0\n,1\n"})
    expect_same(text);
  ReadOptions options;
  options.numeric = {"a"};
  expect_same("a,class\n1,\"x\n\ny\"\n\n2,z\nbad,z\n", options);
  options = {};
  options.classes = {"0", "1"};
  expect_same("1,2,1\n3,4,0\n5,6,1\n7,8,2\n", options);
  options.weight = "1";
  expect_same("1,2,1\n3,4,0\n5,-6,1\n7,8,2\n", options);
}

TEST(Chunks, Libsvm) {
  ReadOptions options;
  options.format = Format::libsvm;
  for (const char* text :
       {"1 1:2 3:4\n-1 2:5\n# no row\n1 qid:3 1:7 # note\n", "1 1:2\n0 2:x\n1 0:4\n", "1\n0\n", "0 0:1\n",
        "1 1:2\n1:3\n", "1 2:3 1:4\n0 1:1\n", "# none\n", "1 1:1\nNA 1:2\n0 1:3\n"})
    expect_same(text, options);
  options.labels_required = false;
  options.features = 3;
  options.dense_shows_all = true;
  for (const char* text : {"1:2 3:4\n2:5\n", "1:2 2:4\n1:3 2:5\n", "1:2\n1 1:3\n", "1:2 4:5\n"})
    expect_same(text, options);
}

TEST(Chunks, ManyRows) {
  const std::string rows = repeated("word,number,odd,when,class\n",
                                    {"level 1,1.5,3,2023-01-05,a\n", "\"level, 2\",2,x,2023-01-06,b\n",
                                     "level 3,,4,NA,\n", "level 1,7,\"two\nlines\",2023-02-01,a\n"},
                                    1000);
  const std::string whole = result_of([&] { return parse_dataset(rows, "table"); });
  for (const int threads : {1, 4, 9}) {
    ReadOptions options;
    options.threads = threads;
    EXPECT_EQ(result_of([&] { return read_in_chunks({"table", rows}, options, 1000); }), whole);
  }
}

class SpilledTable : public TemporaryFiles {};

TEST_F(SpilledTable, IsTheSame) {
  const std::string rows =
      repeated("word,number,class\n", {"level 1,1.5,a\n", "level 2,2,b\n", "x,,a\n"}, 3000);
  const auto spilled = [&] { return read_in_chunks({"table", rows}, {}, 4000, RawRows(path(""))); };
  EXPECT_EQ(result_of(spilled), result_of([&] { return parse_dataset(rows, "table"); }));
  EXPECT_TRUE(std::filesystem::is_empty(path("")));
}

TEST_F(SpilledTable, LargePiecesAreReadBack) {
  RawRows rows(path(""));
  rows.restart(3);
  std::vector<double> numbers(3000);
  for (int block = 0; block < 500; ++block) {  // 12 MB
    for (std::size_t k = 0; k < numbers.size(); ++k) numbers[k] = block * 1e4 + static_cast<double>(k);
    rows.append(numbers.data(), 1000);
  }
  for (const std::size_t first : {0UL, 174000UL, 349000UL, 349500UL, 499000UL}) {
    for (std::size_t row = first, count = 0; row < first + 1000; row += count) {
      count = first + 1000 - row;
      const double* found = rows.read(row, count);  // up to the end of a block
      ASSERT_GT(count, 0U);
      for (std::size_t k = 0; k < 3 * count; ++k)
        ASSERT_EQ(found[k], static_cast<double>((row + k / 3) / 1000) * 1e4 +
                                static_cast<double>((row + k / 3) % 1000 * 3 + k % 3));
    }
  }
}

TEST_F(SpilledTable, NamesFolderAndBytesWithoutRoom) {
  try {
    RawRows rows(path(""), std::uint64_t{1} << 60);
    ADD_FAILURE();
  } catch (const Error& error) {
    for (const std::string& part : Strings{"1073741824.0 GiB", path(""), "free"})
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

TEST_F(SpilledTable, RemovesFilesOfOtherProcesses) {
  write("induce-spill-1-0", "left behind");
  write("other", "kept");
  RawRows rows(path(""));
  EXPECT_FALSE(std::filesystem::exists(path("induce-spill-1-0")));
  EXPECT_TRUE(std::filesystem::exists(path("other")));
}

// More different texts than are kept, however often they repeat. Oracle: the rule itself.
TEST(Chunks, IdsAreNotKept) {
  std::string text = "name,x,y\n";
  const int different = 1'100'000, n = 3 * different / 2;
  for (int i = 0; i < n; ++i)
    text += (i % 1000 ? "user" + std::to_string(i % different) : "NA") + (i % 3 ? ",1," : ",2,") +
            std::to_string(i % 2) + "\n";
  const RawTable table(plan_reading({Source("table", text)}, {}), RawRows());
  EXPECT_EQ(table.shape.data.names.features, Strings{"x"});
  EXPECT_EQ(table.shape.data.columns[0].kind, "id");
  EXPECT_EQ(table.shape.data.columns[0].missing, static_cast<std::size_t>(n / 1000));
  EXPECT_EQ(table.shape.rows, static_cast<std::size_t>(n));
  ASSERT_EQ(table.shape.data.warnings.size(), 1U);
  EXPECT_TRUE(table.shape.data.warnings[0].starts_with("column 1 ('name') is text with more than a million"));
}

}  // namespace
}  // namespace induce::test
