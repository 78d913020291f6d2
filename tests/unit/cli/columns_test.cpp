// Tables as people have them, through the program: labels, kinds of columns, ids and formats of predictions. The fits
// are of numbers only; the reader's own tests have the other kinds.
#include "support/program.hpp"

#include <nlohmann/json.hpp>

namespace induce::testing {
namespace {

using Json = nlohmann::json;

class ColumnsOfTables : public Program {
 protected:
  // Sixty rows: an id, a number that separates two classes except for two rows, a number of noise.
  std::string table(const std::string& header = "name,a,b,class") const {
    std::string text = header + "\n";
    for (int i = 0; i < 60; ++i)
      text += "n" + std::to_string(i) + "," + std::to_string(i * 37 % 60) + ".5," +
              std::to_string(i * 7 % 11) + "," +
              ((i * 37 % 60 < 30) != (i == 0 || i == 30) ? "low" : "high") + "\n";
    return text;
  }
  Json json(const std::string& name) const { return Json::parse(read(name)); }
};

TEST_F(ColumnsOfTables, SummaryBeginsWithTheLabel) {
  write("t.csv", table());
  const Result run = induce("fit t.csv --max-iter 5 -o m --json j");
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_TRUE(run.out.starts_with("label class, 2 classes: high 30, low 30 rows\n")) << run.out;
  EXPECT_NE(run.out.find("\n  columns        2: 2 numbers; left out: 1 id\n"), std::string::npos) << run.out;
  EXPECT_NE(run.err.find("induce: warning: column 1 ('name')"), std::string::npos) << run.err;
  const Json summary = json("j");
  EXPECT_EQ(summary["label"], "class");
  EXPECT_EQ(summary["columns"][0], (Json{{"name", "name"}, {"kind", "id"}, {"missing", 0}, {"levels", 0}}));
  EXPECT_EQ(summary["columns"][2]["kind"], "number");
  EXPECT_EQ(summary["rows_with_gaps"], 0);
  EXPECT_EQ(summary["warnings"].size(), 1U);
}

TEST_F(ColumnsOfTables, AnotherNameOfTheLabelIsNamed) {
  std::string text = "alive,b,class\n";
  for (int i = 0; i < 60; ++i)
    text += (i % 2 ? "yes," : "no,") + std::to_string(i * 7 % 53) + (i % 2 ? ",1\n" : ",0\n");
  write("t.csv", text);
  const Result run = induce("fit t.csv --max-iter 5 -o m");
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_NE(run.err.find("column alive alone determines the label (accuracy 1.0000)"), std::string::npos)
      << run.err;
}

// In more rows than one batch has. A value of 59.5 is the largest of training, so that 120 is far.
TEST_F(ColumnsOfTables, ValuesFarOutsideTrainingAreCounted) {
  write("t.csv", table());
  ASSERT_EQ(induce("fit t.csv --id name --max-iter 5 -o m").status, 0);
  std::string text = "a,b,class\n";
  for (int i = 0; i < 70000; ++i)
    text += std::to_string(i % 2 ? 120 : 118) + (i == 0 ? ",-99" : ",5") + ",low\n";
  write("far.csv", text);
  const std::string warning =
      "induce: warning: a: 35,000 rows far above the largest value of training (59.5); b: 1 row far below "
      "the "
      "smallest value of training (0): the model has seen nothing like it there\n";
  EXPECT_EQ(induce("predict m far.csv -o p.csv").err, warning);
  EXPECT_EQ(induce("eval m far.csv").err, warning);
  EXPECT_EQ(induce("predict m t.csv -o p.csv").err.find("far"), std::string::npos);
}

TEST_F(ColumnsOfTables, RefusesToGuessTheLabel) {
  write("t.csv", "won,sex,port\n0,m,S\n1,f,C\n1,f,Q\n0,m,S\n");
  expect_one_error(induce("fit t.csv -o m"), 2,
                   {"t.csv", "'won' (2), 'sex' (2)", "Name it: induce fit t.csv -o m --label won"});
  EXPECT_FALSE(exists("m"));
}

// All commands that read a table take the same options.
TEST_F(ColumnsOfTables, EncodingAndDelimiter) {
  std::string text =
      "gr\xf6\xdf"
      "e|b|class\r";
  for (int i = 0; i < 60; ++i)
    text += std::to_string(i * 17 % 60) + ".5|" + std::to_string(i % 7) + "|" +
            ((i * 17 % 60 < 30) != (i == 0 || i == 30) ? "k\xfchl" : "warm") + "\r";
  write("t.csv", text);
  const std::string how = " t.csv --encoding latin-1 --delimiter '|' ";
  Result run = induce("fit" + how + "--max-iter 5 -o m");
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(run.err, "");
  EXPECT_TRUE(run.out.starts_with("label class, 2 classes: kühl 30, warm 30 rows\n")) << run.out;
  for (const char* command : {"predict m", "eval m", "explain m", "report m -o page.html"}) {
    run = induce(command + how);
    EXPECT_EQ(run.status, 0) << command << ": " << run.err;
  }
  expect_one_error(induce("fit t.csv -o m"), 1, {"t.csv", "line 1", "0xF6", "--encoding latin-1"});
  expect_one_error(induce("fit t.csv --delimiter 12"), 2, {"--delimiter", "'12'", "one character"});
  expect_one_error(induce("fit t.csv --encoding ebcdic"), 2, {"--encoding", "'ebcdic'", "utf-16"});
}

TEST_F(ColumnsOfTables, WarnsOfNumbersThatAreIds) {
  std::string text = "number,class\n";
  for (int i = 0; i < 60; ++i)
    text += std::to_string(1001 + i) + ((i < 30) != (i == 0 || i == 30) ? ",a\n" : ",b\n");
  write("t.csv", text);
  const Result run = induce("fit t.csv --max-iter 2 -o m --json j");
  EXPECT_NE(run.err.find("column 1 ('number') looks like an id"), std::string::npos) << run.err;
  EXPECT_EQ(json("j")["warnings"].size(), 1U);
  EXPECT_EQ(induce("fit t.csv --numeric number --max-iter 2 -o m").err, "");
}

TEST_F(ColumnsOfTables, OptionsForColumns) {
  write("t.csv", table());
  Result run = induce("fit t.csv --id name --drop b --max-iter 5 -o m --json j");
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(run.err, "");
  EXPECT_EQ(json("j")["d"], 1);
  run = induce("fit t.csv --only a --only b --max-iter 5 -o m --json j");
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(json("j")["d"], 2);
  EXPECT_EQ(json("j")["columns"][0]["kind"], "dropped");
  expect_one_error(induce("fit t.csv --drop c"), 2,
                   {"drop: there is no column named 'c'", "'name', 'a', 'b', 'class'"});
  expect_one_error(induce("fit t.csv --numeric name"), 1,
                   {"line 2", "column 1 ('name')", "'n0' is not a number"});
}

TEST_F(ColumnsOfTables, PredictPassesIdsOnAndIgnoresTheRest) {
  write("t.csv", table());
  ASSERT_EQ(induce("fit t.csv --id name --max-iter 5 -o m --quiet").status, 0);
  write("new.csv", "more,b,name,a\nx,1,\"p, q\",5\ny,2,r,50\n");
  const Result run = induce("predict m new.csv --id name");
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(run.err, "induce: warning: columns that the model does not use are ignored: 'more'\n");
  const std::vector<std::string> lines = lines_of(run.out);
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_TRUE(lines[0].starts_with("name,label,p_high,p_low,latent_mean,")) << lines[0];
  EXPECT_TRUE(lines[1].starts_with("\"p, q\",low,")) << lines[1];
  EXPECT_TRUE(lines[2].starts_with("r,high,")) << lines[2];
  expect_one_error(induce("predict m new.csv --id nobody"), 2, {"id: there is no column named 'nobody'"});
  write("lacks.csv", "more,b\n1,2\n");
  expect_one_error(induce("predict m lacks.csv"), 1, {"the header lacks 'a'", "'more', 'b'"});
}

TEST_F(ColumnsOfTables, PredictionsAsJsonLines) {
  write("t.csv", table());
  ASSERT_EQ(induce("fit t.csv --id name --max-iter 5 -o m --quiet").status, 0);
  ASSERT_EQ(induce("predict m t.csv --id name -o p.jsonl").status, 0);
  ASSERT_EQ(induce("predict m t.csv --id name -o p.csv").status, 0);
  const std::vector<std::string> lines = lines_of(read("p.jsonl")), csv = lines_of(read("p.csv"));
  ASSERT_EQ(lines.size(), 60U);
  ASSERT_EQ(csv.size(), 61U);
  const Json first = Json::parse(lines[0]);
  EXPECT_EQ(first["name"], "n0");
  EXPECT_EQ(first.size(), 6U);
  EXPECT_NEAR(first["p_high"].get<double>() + first["p_low"].get<double>(), 1, 1e-15);
  EXPECT_TRUE(csv[1].starts_with("n0," + first["label"].get<std::string>() + ",")) << csv[1];
}

TEST_F(ColumnsOfTables, OtherFormatsSayWhatToDo) {
  write("t.csv", table());
  write("t.parquet", "PAR1....PAR1");
  expect_one_error(induce("fit t.parquet -o m"), 1,
                   {"'t.parquet' is a Parquet file", "pip install 'induce[tables]'"});
  ASSERT_EQ(induce("fit t.csv --max-iter 5 -o m --quiet").status, 0);
  expect_one_error(induce("predict m t.csv -o p.parquet"), 2,
                   {"--output: 'p.parquet'", "CSV and JSON lines", "pip install 'induce[tables]'"});
}

TEST_F(ColumnsOfTables, TestFilesWithoutAHeaderAreReadLikeDATA) {
  const std::string body = table().substr(table().find('\n') + 1);
  write("t.csv", body);
  write("u.csv", body);
  const Result run = induce("fit t.csv --test u.csv --max-iter 5 --json j -o m");
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(json("j")["d"], 2);
  EXPECT_EQ(json("j")["test"]["n"], 60);
  EXPECT_EQ(induce("eval m t.csv --drop 0").status, 0);
  expect_one_error(induce("eval m t.csv"), 1, {"3 feature columns", "expected 2 features"});
}

}  // namespace
}  // namespace induce::testing
