// Help pages, and usage errors: exit status 2, one line that states the argument, the value and the limit, and no files
// written.
#include "support/program.hpp"

#include <induce/options.hpp>

namespace induce::testing {
namespace {

using Usage = Program;

TEST_F(Usage, HelpNamesEveryCommandAndShowsExamples) {
  const Result run = induce("--help");
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(run.err, "");
  for (const char* word :
       {"fit", "predict", "eval", "rank", "explain", "info", "demo", "Examples:", "--version"})
    EXPECT_NE(run.out.find(word), std::string::npos) << word;
}

TEST_F(Usage, EveryCommandHasAHelpPage) {
  for (const char* command : {"fit", "predict", "eval", "rank", "explain", "info", "demo"}) {
    const Result run = induce(std::string(command) + " --help");
    EXPECT_EQ(run.status, 0);
    EXPECT_TRUE(run.out.starts_with("usage: induce " + std::string(command))) << run.out;
  }
}

TEST_F(Usage, FitHelpGroupsOptionsAndListsEveryMethod) {
  const Result run = induce("fit --help");
  for (const char* title : {"\nData:\n", "\nMethod:\n", "\nModel:\n", "\nBudget:\n", "\nOutput:\n", "Ctrl-C"})
    EXPECT_NE(run.out.find(title), std::string::npos) << title;
  for (const std::string& method : method_names())
    EXPECT_NE(run.out.find("\n  " + method + " "), std::string::npos) << method;
}

TEST_F(Usage, Version) {
  const Result run = induce("--version");
  EXPECT_EQ(run.status, 0);
  EXPECT_TRUE(run.out.starts_with("induce 0.")) << run.out;
}

TEST_F(Usage, CommandIsRequired) {
  expect_one_error(
      induce(""), 2,
      {"fit, predict, eval, update, rank, explain, report, info, export, demo", "see 'induce --help'"});
  expect_one_error(induce("train"), 2, {"'train'", "fit, predict"});
}

TEST_F(Usage, BenchmarksAreAProgramOfTheirOwn) {
  expect_one_error(induce("bench pass"), 2, {"unknown command 'bench'"});
  const auto bench = [&](const std::string& arguments) { return shell("\"$INDUCE-bench\" " + arguments); };
  const std::string kinds = "available commands: pass, classes, shards, predict, kmeans, fit, read";
  const auto expect_error = [&](const std::string& arguments, const std::vector<std::string>& parts) {
    expect_one_error(bench(arguments), 2, parts, "induce-bench");
  };
  expect_error("", {"missing command", kinds, "see 'induce-bench --help'"});
  expect_error("pas", {"'pas'", kinds, "see 'induce-bench --help'"});
  expect_error("pass --rows x", {"--rows", "see 'induce-bench pass --help'"});
  EXPECT_TRUE(bench("pass --help").out.starts_with("usage: induce-bench pass"));
  EXPECT_EQ(bench("kmeans --rows 100 --inducing 5 --repeats 1 --json out.json").status, 0);
  EXPECT_NE(read("out.json").find("\"in_passes\""), std::string::npos);
}

TEST_F(Usage, UnknownArgumentsAreListedInOrder) {
  write_table("t.csv", 20, 1);
  expect_one_error(induce("fit t.csv --one 1 --two --three=3 four"), 2,
                   {"unknown arguments: --one --two --three=3", "see 'induce fit --help'"});
  expect_one_error(induce("--wrong"), 2, {"unknown argument: --wrong", "see 'induce --help'"});
}

TEST_F(Usage, MissingOrInvalidValue) {
  write_table("t.csv", 20, 1);
  expect_one_error(induce("fit t.csv --seed"), 2, {"--seed: missing value;"});
  expect_one_error(induce("fit t.csv -o"), 2, {"--output: missing value;"});
  expect_one_error(induce("fit t.csv --memory lots"), 2,
                   {"--memory: 'lots' is not a whole number with an optional unit"});
}

TEST_F(Usage, HelpPagesShowOnlyTheirOwnExamples) {
  for (const std::string command : {"fit", "predict", "eval", "info", "demo"}) {
    const std::string page = induce(command + " --help").out;
    const std::size_t examples = page.find("Examples:\n");
    if (examples == std::string::npos) continue;
    for (const std::string& line : lines_of(page.substr(examples))) {
      const bool example = line.starts_with("  induce ");
      EXPECT_TRUE(!example || line.starts_with("  induce " + command)) << line;
    }
  }
}

TEST_F(Usage, UnknownOptionOrArgument) {
  write_table("t.csv", 20, 1);
  expect_one_error(induce("fit t.csv --metod vi-jj"), 2, {"--metod", "see 'induce fit --help'"});
  expect_one_error(induce("fit t.csv more.csv"), 1, {"'more.csv' cannot be opened"});
  expect_one_error(induce("fit"), 2, {"DATA is required"});
}

TEST_F(Usage, UnknownMethodOrKernelListsKnownNames) {
  write_table("t.csv", 20, 1);
  expect_one_error(induce("fit t.csv --method vi-xx -o m"), 2, {"vi-xx", "vi-jj-hybrid", "svi-adadelta"});
  expect_one_error(induce("fit t.csv --kernel rbf -o m"), 2, {"rbf", "se", "matern32"});
  EXPECT_EQ(files(), std::vector<std::string>{"t.csv"});
}

struct BadValue {
  const char* option;
  const char* value;
  const char* limit;
};

TEST_F(Usage, ValuesOutOfRangeNameOptionValueAndLimit) {
  write_table("t.csv", 20, 1);
  const BadValue bad[] = {
      {"--inducing", "0", "at least 1"},     {"--inducing", "ten", "'auto' or"},
      {"--inducing", "21", "from 1 to 20"},  {"--threads", "-1", "at least 0"},
      {"--max-iter", "0", "at least 1"},     {"--max-iter", "1.5", "whole number"},
      {"--max-time", "0", "greater than 0"}, {"--max-time", "inf", "greater than 0"},
      {"--seed", "-3", "at least 0"},        {"--holdout", "0", "greater than 0"},
      {"--holdout", "1", "less than 1"},     {"--features", "0", "at least 1"},
      {"--format", "xls", "csv, libsvm"},    {"--warp", "box", "yeo-johnson"},
      {"--start", "1,2", "3 numbers"},       {"--start", "1,-2,3", "3 numbers"},
  };
  for (const BadValue& b : bad) {
    const std::string arguments =
        std::string("fit t.csv -o m --json j --trace l ") + b.option + " " + b.value;
    SCOPED_TRACE(arguments);
    expect_one_error(induce(arguments), 2, {b.option, b.value, b.limit});
  }
  EXPECT_EQ(files(), std::vector<std::string>{"t.csv"});
}

TEST_F(Usage, AnOptionOfOneColumnIsGivenOnce) {
  write_table("t.csv", 20, 1);
  for (const std::string flag : {"--label", "--trials", "--weight", "--id", "--group", "--time"}) {
    expect_one_error(induce("fit t.csv " + flag + " a " + flag + " b"), 2, {flag + ": may be given once"});
    expect_one_error(induce("fit t.csv " + flag + " ''"), 2, {flag + ": '' is not a column"});
  }
  expect_one_error(induce("rank t.csv t.csv --cost a --cost b"), 2, {"--cost: may be given once"});
}

TEST_F(Usage, IncompatibleOptions) {
  write_table("t.csv", 20, 1);
  expect_one_error(induce("fit t.csv --test t2.csv --holdout 0.2"), 2, {"--test", "--holdout"});
  expect_one_error(induce("fit t.csv --method vi-jj --step 0.5"), 2, {"--step", "svi-adadelta"});
  expect_one_error(induce("fit t.csv --method svi-adadelta --batch 21"), 2, {"--batch", "21", "20"});
  expect_one_error(induce("fit t.csv --warp yeo-johnson --no-standardize"), 2,
                   {"yeo-johnson", "standardize"});
}

TEST_F(Usage, OneFileForTwoPurposesIsAnError) {
  write_table("t.csv", 20, 1);
  const std::string before = read("t.csv");
  expect_one_error(induce("fit t.csv -o ./t.csv"), 2, {"--output", "DATA"});
  expect_one_error(induce("fit t.csv -o out --json out"), 2, {"--json", "--output"});
  EXPECT_EQ(read("t.csv"), before);
  EXPECT_EQ(files(), std::vector<std::string>{"t.csv"});
}

}  // namespace
}  // namespace induce::testing
