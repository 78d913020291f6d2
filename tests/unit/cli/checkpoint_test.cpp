// Fits that are killed and resumed. Oracle: the model file of the fit that was left alone, byte for byte.
#include <algorithm>

#include "state/random.hpp"
#include "state/checkpoint_file.hpp"
#include "program.hpp"

namespace induce::testing {
namespace {

class Kill : public Program {
 protected:
  // The first line starts the fit; after a kill the state on disk, if there is one, is gone on with.
  std::string next() const {
    return exists("fit.state")
               ? "fit --resume fit.state --quiet"
               : "fit table.csv --seed 3 --checkpoint fit.state --every 0 -o killed.model --quiet";
  }
};

#ifdef INDUCE_SANITIZED
constexpr int enough = 5, table_rows = 500;
constexpr double slower = 10;
#else
constexpr int enough = 50, table_rows = 5000;
constexpr double slower = 1;
#endif

TEST_F(Kill, FiftyTimesAtAnyMomentAndTheModelIsTheSame) {
  write_table("table.csv", table_rows, 11);
  ASSERT_EQ(induce("fit table.csv --seed 3 -o whole.model --quiet").status, 0);
  const std::string whole = read("whole.model");
  Random random(5);
  int kills = 0, fits = 0, resumed = 0;
  while (kills < enough || fits == 0) {
    const double patience = slower * (1 + kills / 100.0);  // a machine that is too slow for it ends it too
    const double seconds = patience * (0.02 + 0.25 * random.uniform());
    resumed += exists("fit.state");
    const Ran run = shell("timeout -s KILL " + std::to_string(seconds) + " \"$INDUCE\" " + next());
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
  EXPECT_GT(resumed, enough * 2 / 5);
}

TEST_F(Program, ResumeNeedsNoOtherWord) {
  write_table("train.csv", 200, 1);
  write_table("test.csv", 100, 2);
  const std::string words = "--test test.csv --seed 4 --inducing 20 --no-ard --memory 100MB --quiet";
  ASSERT_EQ(induce("fit train.csv " + words + " -o whole.model --trace whole.jsonl").status, 0);
  ASSERT_EQ(induce("fit train.csv " + words +
                   " -o part.model --trace part.jsonl --json part.json"
                   " --checkpoint fit.state --max-iter 3")
                .status,
            0);
  const Ran done = induce("fit --resume fit.state --max-iter 1000");
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_EQ(read("part.model"), read("whole.model"));
  EXPECT_NE(read("part.json").find("\"seed\": 4"), std::string::npos);
  EXPECT_EQ(lines_of(read("part.jsonl")).size(), lines_of(read("whole.jsonl")).size());
}

TEST_F(Program, ResumeRefusesWhatIsNotTheSame) {
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
  expect_one_error(induce("fit train.csv --checkpoint train.csv"), 2, {"--checkpoint", "is also DATA"});
  expect_one_error(induce("fit train.csv --checkpoint no/such/f"), 1, {"no/such/f", "cannot be written"});
}

// The words that a checkpoint brings along come from a file.
TEST_F(Program, ResumeTrustsNoNote) {
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
                   {"bad.state", "an unknown option '--no [31m'"});
  expect_one_error(with_note(R"({"--threads":["many"]})"), 1, {"bad.state", "--threads"});
}

TEST_F(Program, ResumeTracesIntoPipes) {
  write_table("train.csv", 100, 1);
  ASSERT_EQ(induce("fit train.csv --checkpoint fit.state --max-iter 3 --quiet").status, 0);
  const Ran run =
      shell("timeout 60 \"$INDUCE\" fit --resume fit.state --max-iter 5 --trace /dev/stdout | cat");
  EXPECT_EQ(lines_of(run.out).size(), 2U) << run.out << run.err;
  expect_one_error(induce("fit --resume fit.state --checkpoint new.state --trace fit.state"), 2,
                   {"--trace", "is also --resume"});
}

}  // namespace
}  // namespace induce::testing
