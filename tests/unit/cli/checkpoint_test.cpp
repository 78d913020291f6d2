// Fits that are killed and resumed. Oracle: the model file of an uninterrupted fit, byte for byte.
#include <algorithm>
#include <chrono>

#include "linalg/random.hpp"
#include "fit/checkpoint_file.hpp"
#include "support/program.hpp"

namespace induce::testing {
namespace {

class Kill : public Program {
 protected:
  // Starts the fit, or resumes it if there is a checkpoint.
  std::string next_arguments() const {
    return exists("fit.state")
               ? "fit --resume fit.state --quiet"
               : "fit table.csv --seed 3 --checkpoint fit.state --every 0 -o killed.model --quiet";
  }
};

#ifdef INDUCE_SANITIZED
constexpr int kills_wanted = 5, table_rows = 500;
#else
constexpr int kills_wanted = 50, table_rows = 5000;
#endif

TEST_F(Kill, AnyNumberOfKillsGivesTheSameModel) {
  write_table("table.csv", table_rows, 11);
  const auto began = std::chrono::steady_clock::now();
  ASSERT_EQ(induce("fit table.csv --seed 3 -o whole.model --quiet").status, 0);
  const double of_whole = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  const std::string whole = read("whole.model");
  Random random(5);
  int kills = 0, fits = 0, resumed = 0;
  while (kills < kills_wanted || fits == 0) {
    // A fit gets further if it reaches the end of a stage. The time grows, so that the loop ends on slow machines.
    const double seconds = of_whole * (0.05 + 0.3 * random.uniform()) * (1 + kills / 50.0);
    resumed += exists("fit.state");
    const Result run =
        shell("timeout -s KILL " + std::to_string(seconds) + " \"$INDUCE\" " + next_arguments());
    if (run.status == 137) {
      ++kills;
      continue;
    }
    ASSERT_EQ(run.status, 0) << run.err;
    ASSERT_EQ(read("killed.model"), whole) << "after " << kills << " kills";
    std::filesystem::remove(path("fit.state"));
    std::filesystem::remove(path("killed.model"));
    ++fits;
  }
  EXPECT_GT(resumed, kills_wanted * 2 / 5);
}

TEST_F(Program, ResumeNeedsNoOtherArguments) {
  write_table("train.csv", 200, 1);
  write_table("test.csv", 100, 2);
  const std::string arguments = "--test test.csv --seed 4 --inducing 20 --no-ard --memory 100MB --quiet";
  ASSERT_EQ(induce("fit train.csv " + arguments + " -o whole.model --trace whole.jsonl").status, 0);
  ASSERT_EQ(induce("fit train.csv " + arguments +
                   " -o part.model --trace part.jsonl --json part.json"
                   " --checkpoint fit.state --max-iter 3")
                .status,
            0);
  const Result done = induce("fit --resume fit.state --max-iter 1000");
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_EQ(read("part.model"), read("whole.model"));
  EXPECT_NE(read("part.json").find("\"seed\": 4"), std::string::npos);
  EXPECT_EQ(lines_of(read("part.jsonl")).size(), lines_of(read("whole.jsonl")).size());
}

TEST_F(Program, ResumeRejectsChangedDataAndOptions) {
  write_table("train.csv", 200, 1);
  write_table("other.csv", 200, 2);
  ASSERT_EQ(induce("fit train.csv --checkpoint fit.state --max-iter 3 --quiet").status, 0);
  expect_one_error(induce("fit other.csv --resume fit.state"), 1, {"fit.state", "other data"});
  expect_one_error(induce("fit --resume fit.state --seed 9"), 1, {"fit.state", "seed = 0, not 9"});
  expect_one_error(induce("fit --resume train.csv"), 1, {"train.csv", "not a checkpoint"});
  expect_one_error(induce("fit --resume none"), 1, {"none", "cannot be read"});
  expect_one_error(induce("fit"), 2, {"DATA is required"});
  expect_one_error(induce("fit train.csv --every 3"), 2, {"--every", "--checkpoint"});
  expect_one_error(induce("fit train.csv --checkpoint f --every -3"), 2,
                   {"--every", "'-3' is not a number of at least 0"});
  expect_one_error(induce("fit train.csv --checkpoint train.csv"), 2,
                   {"--checkpoint", "is also given as DATA"});
  expect_one_error(induce("fit train.csv --checkpoint no/such/f"), 1, {"no/such/f", "cannot be written"});
}

// The command line in a checkpoint is untrusted input.
TEST_F(Program, ResumeChecksTheStoredCommandLine) {
  write_table("train.csv", 100, 1);
  ASSERT_EQ(induce("fit train.csv --checkpoint fit.state --max-iter 3 --quiet").status, 0);
  const Checkpoint good = read_checkpoint(path("fit.state"));
  const auto with_note = [&](const std::string& note) {
    Checkpoint bad = good;
    bad.notes["command_line"] = note;
    write_checkpoint(path("bad.state"), bad);
    return induce("fit --resume bad.state");
  };
  for (const std::string note :
       {R"({"--seed":[]})", R"({"--quiet":[]})", R"({"--seed":[["1"]]})", R"({"--seed":{"a":"1"}})",
        R"(["--seed"])", R"({"--seed":["1"],"--seed":["2"]})", "", "null"})
    expect_one_error(with_note(note), 1, {"bad.state", "its command line"});
  expect_one_error(with_note(std::string(1 << 20, '[')), 1, {"bad.state", "its command line"});
  expect_one_error(with_note(R"({"--resume":["x"]})"), 1, {"bad.state", "an unknown option '--resume'"});
  expect_one_error(with_note(R"({"--no\u001b[31m":["x"]})"), 1,
                   {"bad.state", "an unknown option '--no\xEF\xBF\xBD[31m'"});
  expect_one_error(with_note(R"({"--threads":["many"]})"), 1, {"bad.state", "--threads"});
}

TEST_F(Program, ResumeTracesIntoPipes) {
  write_table("train.csv", 100, 1);
  ASSERT_EQ(induce("fit train.csv --checkpoint fit.state --max-iter 3 --quiet").status, 0);
  const Result run =
      shell("timeout 60 \"$INDUCE\" fit --resume fit.state --max-iter 5 --trace /dev/stdout | cat");
  EXPECT_EQ(lines_of(run.out).size(), 5U) << run.out << run.err;  // the stage again
  expect_one_error(induce("fit --resume fit.state --checkpoint new.state --trace fit.state"), 2,
                   {"--trace", "is also given as --resume"});
}

}  // namespace
}  // namespace induce::testing
