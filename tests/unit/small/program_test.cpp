// The program with tables of 60 rows, for the sanitizers: every command that reads, fits or writes. A finding of theirs ends the
// program with another status. What it prints is tested by tests/unit/cli.
#include <string>

#include "support/program.hpp"

namespace induce::testing {
namespace {

class SmallProgram : public Program {
 protected:
  void SetUp() override {
    Program::SetUp();
    std::string text = "id,age,job,since,paid,leaves\n";
    for (int i = 0; i < 60; ++i)
      text += std::to_string(1000 + 7 * i) + "," + (i % 8 == 3 ? "" : std::to_string(20 + (i * 37) % 41)) +
              "," +
              (i % 3 == 0   ? "cook"
               : i % 3 == 1 ? "\"smith, black\""
                            : "clerk") +
              ",2021-0" + std::to_string(1 + i % 9) + "-1" + std::to_string(i % 10) + "," +
              std::to_string(i * 31 % 17) + ".5," + ((i * 37) % 41 > 20 ? "yes" : "no") + "\n";
    write("people.csv", text);
  }
  void expect_success(const std::string& arguments) const {
    const Result run = induce(arguments);
    EXPECT_EQ(run.status, 0) << arguments << "\n" << run.err;
  }
  static constexpr const char* label = " --label leaves --drop id ";
};

TEST_F(SmallProgram, EveryCommand) {
  expect_success(std::string("fit people.csv") + label +
                 "--holdout .2 --max-iter 8 -o model --json summary --trace trace");
  for (const char* arguments :
       {"predict model people.csv -o answers.csv", "predict model people.csv --latent",
        "eval model people.csv", "eval model people.csv --confusion", "explain model",
        "explain model people.csv --json effects.json", "explain model --svg effects.svg",
        "report model people.csv -o report.html", "info model --json info.json", "export model --c model.h",
        "--help", "fit --help", "--version"})
    expect_success(arguments);
}

TEST_F(SmallProgram, OtherWaysToReadAndFit) {
  for (const char* more :
       {"--method vi-jj --balanced", "--inducing 5 --memory 300MB", "--weight paid --threads 1",
        "--kernel se+mains --warp yeo-johnson --categorical job"})
    expect_success(std::string("fit people.csv") + label + "--max-iter 3 -o model " + more);
  ASSERT_EQ(
      shell("gzip -k people.csv && mkdir parts && head -31 people.csv >parts/a.csv && (head -1 people.csv; "
            "tail -30 people.csv) >parts/b.csv && awk -F, 'NR > 1 {print $NF == \"yes\", \"1:\" $(NF - 1), "
            "\"3:\" "
            "$1}' "
            "people.csv >people.svm")
          .status,
      0);
  for (const char* data :
       {"people.csv.gz --label leaves --drop id", "parts --label leaves --drop id", "people.svm"})
    expect_success(std::string("fit ") + data + " --max-iter 3 -o model");
  expect_success(std::string("fit people.csv") + label + "--max-iter 3 -o model --checkpoint state");
  expect_success(std::string("fit people.csv") + label + "--max-iter 3 -o model --resume state");
}

TEST_F(SmallProgram, ErrorsEndItWithoutAFinding) {
  write("broken.csv", "a,b\n1,\"2\n3");
  write("empty.csv", "");
  for (const char* arguments :
       {"fit broken.csv -o model", "fit empty.csv -o model", "fit absent.csv -o model",
        "predict people.csv people.csv", "fit people.csv --label nobody -o model",
        "fit people.csv --kernel wrong -o model"}) {
    const Result run = induce(arguments);
    EXPECT_TRUE(run.status == 1 || run.status == 2) << arguments << "\n" << run.status << run.err;
    EXPECT_TRUE(run.err.starts_with("induce: ")) << run.err;
    EXPECT_FALSE(exists("model"));
  }
}

}  // namespace
}  // namespace induce::testing
