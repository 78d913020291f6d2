// `induce update` and `induce predict --follow`. Oracles: `eval`, `predict` of the whole table, files before and after.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/program.hpp"

namespace induce::testing {
namespace {

using Json = nlohmann::json;

class Updates : public Program {
 protected:
  void SetUp() override {
    Program::SetUp();
    write_table("old.csv", 400, 1);
    write_table("new.csv", 200, 2);
    write_table("test.csv", 400, 3);
    const Result run = induce("fit old.csv --inducing 15 --kernel se --max-iter 8 -o m --quiet");
    ASSERT_EQ(run.status, 0) << run.err;
  }
  Json json(const std::string& name) const { return Json::parse(read(name)); }
};

TEST_F(Updates, LearnsAndSaysWhatItSaw) {
  const Result run = induce("update m new.csv -o m2 --json seen");
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(run.err, "");
  for (const char* part : {"200 learned", "surprise", "expected", "advice", "left", "right", "shift"})
    EXPECT_NE(run.out.find(part), std::string::npos) << part << "\n" << run.out;
  const Json seen = json("seen");
  EXPECT_EQ(seen["n"], 200);
  EXPECT_EQ(seen["classes"].size(), 2U);
  EXPECT_EQ(seen["output"], "m2");
  ASSERT_EQ(induce("eval m new.csv --json old").status, 0);
  EXPECT_NEAR(seen["nll"].get<double>(), json("old")["nll"].get<double>(), 1e-9);
  ASSERT_EQ(induce("eval m2 new.csv --json now").status, 0);
  EXPECT_NEAR(seen["fitted_nll"].get<double>(), json("now")["nll"].get<double>(), 1e-9);
  const Result info = induce("info m2 --json info");
  EXPECT_NE(info.out.find("updates"), std::string::npos) << info.out;
  EXPECT_EQ(json("info")["updates"].size(), 1U);
  EXPECT_EQ(json("info")["rows_of_fit"], 400);
  EXPECT_EQ(induce("info m").out.find("updates"), std::string::npos);
}

TEST_F(Updates, OutputMayBeTheModelAndFailuresLeaveItAlone) {
  const std::string before = read("m");
  ASSERT_EQ(induce("update m new.csv").status, 0);
  EXPECT_EQ(read("m"), before);
  write("bad.csv", "a,b,class\n1,2,left\n1,2,top\n");
  expect_one_error(induce("update m bad.csv -o m"), 1, {"bad.csv", "line 3", "top"});
  write("other.csv", "c,d,class\n1,2,left\n");
  expect_one_error(induce("update m other.csv -o m"), 1, {"other.csv", "'a'"});
  expect_one_error(induce("update m new.csv --forget 0 -o m"), 2, {"--forget"});
  expect_one_error(induce("update m new.csv --weight a -o m"), 2,
                   {"column 1 ('a') is a feature of the model and cannot be the weight column"});
  expect_one_error(induce("update m new.csv --label b -o m"), 2,
                   {"column 2 ('b') is a feature of the model and cannot be the label column"});
  expect_one_error(induce("update m new.csv -o x --json x"), 2, {"x"});
  EXPECT_EQ(read("m"), before);
  ASSERT_EQ(induce("update m new.csv -o m --quiet").status, 0);
  EXPECT_NE(read("m"), before);
  const std::vector<std::string> left = files();
  for (const std::string& file : left) EXPECT_EQ(file.find(".tmp"), std::string::npos) << file;
}

TEST_F(Updates, KilledWhileItReadsLeavesTheModelAsItWas) {
  const std::string before = read("m");
  for (const char* signal : {"KILL", "TERM"}) {
    const Result run =
        shell(std::string("rm -f rows; mkfifo rows; \"$INDUCE\" update m rows -o m & exec 3> rows; "
                          "head -50 new.csv >&3; sleep 0.3; kill -") +
              signal + " $!; wait $!; echo $?");
    EXPECT_GT(std::stoi(lines_of(run.out).back()), 128) << run.out << run.err;
    EXPECT_TRUE(read("m") == before) << signal;
  }
}

TEST_F(Updates, FilesAreOneUpdateAndThreadsDoNotMatter) {
  write_table("more.csv", 100, 4);
  ASSERT_EQ(induce("update m new.csv more.csv -o one --threads 1 --quiet").status, 0);
  ASSERT_EQ(induce("update m new.csv more.csv -o two --threads 3 --quiet").status, 0);
  EXPECT_TRUE(read("one") == read("two"));
  EXPECT_NE(induce("info one").out.find("1 with 300 rows"), std::string::npos) << induce("info one").out;
}

TEST_F(Updates, KeepsTheNotesOfTheModel) {
  ASSERT_EQ(induce("update m new.csv -o m2 --quiet").status, 0);
  const std::string options = R"("options":)";
  EXPECT_NE(read("m").find(options), std::string::npos);
  EXPECT_NE(read("m2").find(options), std::string::npos);
}

TEST_F(Updates, WeightsOfRows) {
  std::string weighted = "a,b,class,w\n";
  const std::vector<std::string> rows = lines_of(read("new.csv"));
  std::string copies = rows[0] + "\n";
  for (std::size_t k = 1; k < rows.size(); ++k) {
    weighted += rows[k] + (k % 3 == 0 ? ",2\n" : ",1\n");
    for (int copy = 0; copy < (k % 3 == 0 ? 2 : 1); ++copy) copies += rows[k] + "\n";
  }
  write("weighted.csv", weighted);
  write("copies.csv", copies);
  ASSERT_EQ(induce("update m weighted.csv --weight w -o a --json a.json --quiet").status, 0);
  ASSERT_EQ(induce("update m copies.csv -o b --json b.json --quiet").status, 0);
  EXPECT_NEAR(json("a.json")["fitted_nll"].get<double>(), json("b.json")["fitted_nll"].get<double>(), 1e-9);
  EXPECT_EQ(json("a.json")["rows"], json("b.json")["rows"]);
}

TEST_F(Updates, StartFromAModelTakesFewerPasses) {
  ASSERT_EQ(induce("fit new.csv --json cold --quiet").status, 0);
  ASSERT_EQ(induce("fit old.csv --kernel se -o full --quiet").status, 0);
  const Result run = induce("fit new.csv --start-from full --json warm --quiet");
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_LT(json("warm")["passes"], json("cold")["passes"]);
  expect_one_error(induce("fit new.csv --start-from nowhere"), 1, {"nowhere"});
}

// Oracle: `predict` of the whole table.
TEST_F(Updates, FollowAnswersEachLineLikePredict) {
  const Result whole = induce("predict m test.csv");
  ASSERT_EQ(whole.status, 0);
  const Result follow = shell("\"$INDUCE\" predict m --follow < test.csv");
  ASSERT_EQ(follow.status, 0) << follow.err;
  EXPECT_EQ(follow.err, "");
  // The last digits of a row depend on the rows of its block.
  const std::vector<std::string> got = lines_of(follow.out), want = lines_of(whole.out);
  ASSERT_EQ(got.size(), want.size());
  EXPECT_EQ(got[0], want[0]);
  for (std::size_t k = 1; k < got.size(); ++k) {
    const std::size_t comma = got[k].find(',');
    EXPECT_EQ(got[k].substr(0, comma), want[k].substr(0, want[k].find(',')));
    EXPECT_NEAR(std::stod(got[k].substr(comma + 1)), std::stod(want[k].substr(comma + 1)), 1e-12);
  }
  // Without a header columns are those of the model, in its order.
  const Result plain = shell("tail -n +2 test.csv | cut -d, -f1,2 | \"$INDUCE\" predict m --follow");
  EXPECT_EQ(lines_of(plain.out).size(), 401U) << plain.err;
}

TEST_F(Updates, FollowAnswersBeforeTheNextLineComes) {
  const Result run = shell(
      "mkfifo rows answers; \"$INDUCE\" predict m --follow < rows > answers & exec 3> rows 4< answers; "
      "echo 'a,b' >&3; echo '0.5,0.5' >&3; read -r header <&4; read -r first <&4; echo \"$first\"; "
      "echo '-0.5,0.5' >&3; read -r second <&4; echo \"$second\"; exec 3>&-; wait");
  const std::vector<std::string> answers = lines_of(run.out);
  ASSERT_EQ(answers.size(), 2U) << run.err;
  EXPECT_NE(answers[0], answers[1]);
}

TEST_F(Updates, FollowWritesItsHeaderAtOnce) {
  const Result run = shell(
      "mkfifo rows answers; \"$INDUCE\" predict m --follow --doubt < rows > answers & exec 3> rows 4< "
      "answers; "
      "read -r header <&4; echo \"$header\"; exec 3>&-; wait");
  EXPECT_EQ(lines_of(run.out), std::vector{lines_of(induce("predict m test.csv --doubt").out)[0]}) << run.err;
}

TEST_F(Updates, WrongUnitsAreSaidFirst) {
  shell("awk -F, -v OFS=, 'NR > 1 { $1 = 3000 + $1 } 1' new.csv > units.csv");
  const Result run = induce("update m units.csv --json seen");
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_NE(run.err.find("a: 200 rows far above the largest value of training"), std::string::npos)
      << run.err;
  EXPECT_EQ(json("seen")["advice"], "refit");
  EXPECT_NE(json("seen")["reason"].get<std::string>().find("standard deviations: check its units"),
            std::string::npos)
      << json("seen")["reason"];
}

TEST_F(Updates, FollowGoesOnAfterALineThatCannotBePredicted) {
  const Result run = shell("printf 'a,b\\n1,2\\n1,x\\n1\\n\\n2,1\\n' | \"$INDUCE\" predict m --follow");
  EXPECT_EQ(run.status, 0);
  const std::vector<std::string> answers = lines_of(run.out), messages = lines_of(run.err);
  ASSERT_EQ(answers.size(), 6U) << run.out;
  for (const std::size_t k : {2U, 3U, 4U}) EXPECT_EQ(answers[k], ",,,,");
  EXPECT_NE(answers[5], ",,,,");
  ASSERT_EQ(messages.size(), 3U) << run.err;
  for (std::size_t k = 0; k < 3; ++k)
    EXPECT_EQ(messages[k].find("induce: line " + std::to_string(k + 3) + ":"), 0U) << messages[k];
  EXPECT_NE(messages[0].find("'x'"), std::string::npos) << messages[0];
  EXPECT_EQ(messages[2], "induce: line 5: the line is blank");
  expect_one_error(induce("predict m test.csv --follow"), 2, {"--follow", "test.csv"});
  expect_one_error(induce("predict m --follow -o out.csv"), 2, {"--output"});
  expect_one_error(induce("predict m"), 2, {"DATA is required"});
}

}  // namespace
}  // namespace induce::testing
