// Rows in blocks. Oracle: the same table as a whole.
#include <bit>

#include "read/read.hpp"
#include "temporary.hpp"

namespace induce::test {
namespace {

class Stream : public TemporaryFiles {
 protected:
  static ReadOptions of_model() {
    ReadOptions options;
    options.expected_features = {"x", "word"};
    options.features = 2;
    options.expected_columns = {{ColumnKind::number}, {ColumnKind::category, {"a", "b"}}};
    options.classes = {"no", "yes"};
    options.label = "y";
    return options;
  }

  // Expects at least `blocks` blocks that make up the table.
  void expect_whole(const std::string& text, const ReadOptions& options, std::size_t blocks) const {
    const std::string file = write("table", text);
    const Dataset whole = read_dataset(file, options);
    std::vector<double> X;
    std::vector<int> y;
    std::vector<std::string> ids;
    std::size_t count = 0;
    const StreamedTable table = stream_rows({file}, options, [&](const Dataset& block) {
      X.insert(X.end(), block.X.data(), block.X.data() + block.X.size());
      y.insert(y.end(), block.y.begin(), block.y.end());
      ids.insert(ids.end(), block.ids.begin(), block.ids.end());
      ++count;
    });
    EXPECT_GE(count, blocks);
    EXPECT_EQ(table.rows, whole.rows());
    EXPECT_EQ(table.warnings, whole.warnings);
    EXPECT_EQ(table.rows_without_label, whole.rows_without_label);
    EXPECT_EQ(y, whole.y);
    EXPECT_EQ(ids, whole.ids);
    ASSERT_EQ(X.size(), static_cast<std::size_t>(whole.X.size()));
    for (std::size_t k = 0; k < X.size(); ++k)
      ASSERT_EQ(std::bit_cast<std::uint64_t>(X[k]), std::bit_cast<std::uint64_t>(whole.X.data()[k])) << k;
  }
  void expect_same_error(const std::string& text, const ReadOptions& options) const {
    const std::string file = write("table", text);
    const auto message = [&](const auto& read) {
      try {
        read();
        return std::string("no error");
      } catch (const Error& error) {
        return std::string(error.what());
      }
    };
    bool used = false;
    const std::string whole = message([&] { read_dataset(file, options); });
    EXPECT_NE(whole, "no error");
    EXPECT_EQ(message([&] { stream_rows({file}, options, [&](const Dataset&) { used = true; }); }), whole);
    EXPECT_FALSE(used);
  }
};

TEST_F(Stream, LongTable) {
  std::string text = "unused,word,y,id,x\n";
  for (int i = 0; i < 200000; ++i)
    text += "7," +
            std::string(i % 3    ? "a"
                        : i % 60 ? "b"
                                 : "new " + std::to_string(i % 420)) +
            "," + (i % 500 ? (i % 2 ? "no" : "yes") : "") + ",\"p " + std::to_string(i) + "\"," +
            (i % 77  ? std::to_string(i) + ".5"
             : i % 7 ? "NA"
                     : "") +
            "\n";
  ReadOptions options = of_model();
  expect_whole(text, options, 4);
  options.id = "id";
  options.labels_required = false;
  options.ignore_labels = true;
  expect_whole(text, options, 4);
}

TEST_F(Stream, DecimalCommas) {
  std::string some = "word;x;y\n", late = some;
  for (int i = 0; i < 200000; ++i) {
    some += "a;" + std::to_string(i % 1000) + (i % 2 ? ",5" : "") + ";no\n";
    late += "a;" + std::to_string(i) + (i < 190000 ? ".5" : ",5") + ";no\n";
  }
  const ReadOptions options = of_model();
  expect_whole(some, options, 2);
  expect_file_refused(write("table", late), {"separators"}, options);
  try {
    stream_rows({path("table")}, options, [](const Dataset&) {});
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("column 2 ('x')"), std::string::npos) << error.what();
  }
}

TEST_F(Stream, Errors) {
  const ReadOptions options = of_model();
  for (const char* text :
       {"", "x,word,y\n", "x,word,y\n1,a,no\n2,b\n", "x,word,y\n1,a,no\nmany,b,yes\n",
        "x,word,y\n1,a,maybe\n", "x,word,y\n1,a,\n", "x,y\n1,no\n", "x,word,y\n1,a,\"no\n"})
    expect_same_error(text, options);
}

TEST_F(Stream, Libsvm) {
  ReadOptions options;
  options.format = Format::libsvm;
  options.features = 3;
  options.dense_shows_all = true;
  options.classes = {"-1", "1"};
  std::string text;
  for (int i = 0; i < 100000; ++i)
    text += std::string(i % 2 ? "+1" : "-1") + " 1:" + std::to_string(i) + (i % 3 ? " 3:0.5" : "") + "\n";
  expect_whole(text, options, 2);
  for (const char* few : {"1 1:1 2:2\n-1 1:3 2:4\n", "1 1:2\n1:3\n", "1 4:5\n", "# none\n", "2 1:1 3:1\n"})
    expect_same_error(few, options);
}

}  // namespace
}  // namespace induce::test
