// --trials and --shares. Oracle: the table in which the successes and failures of a row are two rows with weights, of one group.
#include <cmath>

#include <nlohmann/json.hpp>

#include "support/program.hpp"

namespace induce::testing {
namespace {

using Json = nlohmann::json;

class TrialOptions : public Program {
 protected:
  // counts.csv has i % 7 trials in row i, split.csv the same rows as classes, shares.csv as shares with weights.
  void write_tables(bool weighted = false) const {
    std::string counts = "a,b,n,w,y\n", split = "a,b,w,g,y\n", shares = "a,b,w,y\n";
    for (int i = 0; i < 90; ++i) {
      const int n = i % 7, y = n * (i * 37 % 50 > 20 ? 3 : 1) / 4, w = weighted ? i % 3 + 1 : 1;
      const std::string features = std::to_string(i * 37 % 50) + "," + std::to_string(i * 13 % 31) + ",";
      counts += features + std::to_string(n) + "," + std::to_string(w) + "," + std::to_string(y) + "\n";
      const auto row = [&](int label, int count) {
        if (count > 0)
          split += features + std::to_string(count * w) + ",g" + std::to_string(100 + i) + "," +
                   std::to_string(label) + "\n";
      };
      row(1, y);
      row(0, n - y);
      shares += features + std::to_string(w) + "," + (i % 3 ? "0.25" : i % 2 ? "1" : "0") + "\n";
    }
    write("counts.csv", counts);
    write("split.csv", split);
    write("shares.csv", shares);
  }
  std::string numbers_of(const std::string& model) const {
    const std::string bytes = read(model);
    std::size_t length = 0;
    for (std::size_t k = 8; k-- > 0;) length = length << 8 | static_cast<unsigned char>(bytes.at(k));
    return bytes.substr(8 + length);
  }
  Json fit(const std::string& arguments) const {
    const Result run = induce("fit " + arguments + " --json j");
    EXPECT_EQ(run.status, 0) << run.err;
    return Json::parse(read("j"));
  }
};

TEST_F(TrialOptions, NoTrialsAtAll) {
  write("none.csv", "a,n,y\n1,0,0\n2,0,0\n3,0,0\n");
  expect_one_error(induce("fit none.csv --label y --trials n"), 1, {"--trials: no row has trials"});
}

TEST_F(TrialOptions, EqualWeightedRowsExactly) {
  for (const bool weighted : {false, true}) {
    write_tables(weighted);
    const Json counts =
        fit("counts.csv --label y --trials n -o counts " + std::string(weighted ? "--weight w" : "--drop w"));
    const Json split = fit("split.csv --label y --weight w --group g -o split");
    EXPECT_TRUE(numbers_of("counts") == numbers_of("split"));
    EXPECT_EQ(counts["bound"], split["bound"]);
    EXPECT_EQ(counts["train"]["n"], split["train"]["n"]);
    EXPECT_NEAR(counts["train"]["nll"], split["train"]["nll"], 1e-12);
    EXPECT_EQ(counts["class_counts"], split["class_counts"]);
    EXPECT_EQ(counts["held_out_by"], "groups");
    EXPECT_EQ(counts["options"]["trials"], "n");
  }
}

TEST_F(TrialOptions, MetricsArePerTrial) {
  write_tables();
  fit("counts.csv --label y --trials n --drop w -o counts");
  ASSERT_EQ(induce("eval counts counts.csv --trials n --json a --cost '{\"0\": {\"1\": 2}}'").status, 0);
  ASSERT_EQ(induce("predict counts split.csv -o p.csv").status, 0);
  const Json metrics = Json::parse(read("a"));
  double nll = 0, trials = 0;  // by hand, from the probabilities of the rows of the other table
  const std::vector<std::string> rows = lines_of(read("split.csv")), predictions = lines_of(read("p.csv"));
  for (std::size_t i = 1; i < rows.size(); ++i) {
    double weight = 0, p = 0;
    int label = 0;
    ASSERT_EQ(std::sscanf(rows[i].c_str(), "%*d,%*d,%lf,g%*d,%d", &weight, &label), 2);
    ASSERT_EQ(std::sscanf(predictions[i].c_str(), "%*d,%*f,%lf", &p), 0 + 1);
    nll -= weight * std::log(label ? p : 1 - p);
    trials += weight;
  }
  EXPECT_EQ(metrics["n"], trials);
  EXPECT_NEAR(metrics["nll"], nll / trials, 1e-9);
  double confused = 0;
  for (const auto& row : metrics["confusion"]["counts"])
    for (const auto& count : row) confused += count.get<double>();
  EXPECT_EQ(confused, trials);
}

TEST_F(TrialOptions, UpdatesEqualThoseByWeightedRows) {
  for (const bool weighted : {false, true}) {
    write_tables(weighted);
    fit("counts.csv --label y --trials n -o counts " + std::string(weighted ? "--weight w" : "--drop w"));
    fit("split.csv --label y --weight w --group g -o split");
    ASSERT_EQ(induce("update counts counts.csv --trials n -o counts --json a").status, 0);
    ASSERT_EQ(induce("update split split.csv -o split --json b").status, 0);
    EXPECT_TRUE(numbers_of("counts") == numbers_of("split"));
    EXPECT_EQ(Json::parse(read("a"))["nll"], Json::parse(read("b"))["nll"]);
  }
  fit("shares.csv --label y --shares --drop w -o m");
  EXPECT_EQ(induce("update m shares.csv --shares").status, 0);
  expect_one_error(induce("update m counts.csv --trials n --shares"), 2, {"--trials and --shares"});
}

TEST_F(TrialOptions, CommandsThatTakeOnlyClassesSaySo) {
  write_tables();
  fit("counts.csv --label y --trials n --drop w -o counts");
  for (const char* command : {"report counts counts.csv -o page.html", "eval counts counts.csv"})
    expect_one_error(
        induce(command), 1,
        {"not one of the model's classes, '0' and '1'", "options trials, shares of eval and update"});
  EXPECT_EQ(induce("report counts -o page.html").status, 0);
  fit("shares.csv --label y --drop w -o other");  // classes 0, 0.25 and 1
  expect_one_error(induce("eval other shares.csv --shares"), 1,
                   {"classes '0' and '1'", "the model has '0', ..."});
}

TEST_F(TrialOptions, RowsWithoutTrialsAreLeftOutWithAWarning) {
  write_tables();
  const Result run = induce("fit counts.csv --label y --trials n --drop w -o m");
  EXPECT_NE(run.err.find("13 rows have no trials and are left out"), std::string::npos) << run.err;
}

TEST_F(TrialOptions, SharesAreSuccessesOfOneTrial) {
  write_tables();
  const Json shares = fit("shares.csv --label y --shares --drop w -o m --holdout 0.3");
  EXPECT_EQ(shares["options"]["shares"], true);
  EXPECT_EQ(shares["test"]["n"], 27);
  EXPECT_EQ(induce("eval m shares.csv --shares").status, 0);
  EXPECT_EQ(induce("predict m shares.csv").status, 0);
}

TEST_F(TrialOptions, LibsvmHasShares) {
  std::string text;
  for (int i = 0; i < 60; ++i)
    text += (i % 4 ? "0.75" : "0.125") + std::string(" 1:") + std::to_string(i % 9) +
            " 2:" + std::to_string(i % 5) + "\n";
  write("t.svm", text);
  EXPECT_EQ(fit("t.svm --shares -o m")["class_counts"][0]["count"], 60);
  expect_one_error(induce("fit t.svm --trials 0"), 2, {"trials column '0'", "LIBSVM"});
}

TEST_F(TrialOptions, ErrorsNameLineValueAndLimit) {
  const auto error = [&](const std::string& rows, const std::string& how,
                         const std::vector<std::string>& parts) {
    write("t.csv", "a,n,y\n1,4,1\n2,4,0\n" + rows);
    expect_one_error(induce("fit t.csv --label y " + how), 1, parts);
  };
  error("3,4,5\n", "--trials n", {"line 4", "5 successes of 4 trials", "from 0 to 4"});
  error("3,4,-1\n", "--trials n", {"line 4", "-1 successes of 4 trials"});
  error("3,4,1.5\n", "--trials n", {"line 4", "1.5 successes", "a whole number"});
  error("3,2.5,1\n", "--trials n", {"line 4", "trials of 2.5", "a whole number of at least 0"});
  error("3,,1\n", "--trials n", {"line 4", "column 2 ('n')", "trials must be"});
  error("3,4,many\n", "--trials n", {"line 4", "'many'"});
  error("3,4,1.01\n", "--shares", {"line 4", "a share of 1.01", "from 0 to 1"});
  write_tables();
  expect_one_error(induce("fit counts.csv --label y --trials n --shares"), 2, {"--trials and --shares"});
  expect_one_error(induce("fit counts.csv --label y --trials ''"), 2, {"--trials", "''"});
  expect_one_error(induce("fit counts.csv --label y --trials who"), 2, {"who"});
  expect_one_error(induce("fit counts.csv --label y --trials y"), 2, {"label column", "trials column"});
  expect_one_error(induce("fit counts.csv --label y --trials n --weight n"), 2, {"weight", "trials"});
  std::string quantity = "a,y\n";
  for (int i = 0; i < 60; ++i) quantity += std::to_string(i % 7) + ",0." + std::to_string(100 + i) + "\n";
  write("q.csv", quantity);
  expect_one_error(induce("fit q.csv --label y"), 1, {"quantity (regression)", "option shares"});
}

}  // namespace
}  // namespace induce::testing
