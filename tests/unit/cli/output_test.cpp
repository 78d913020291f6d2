// Output files: complete or absent, old files intact until replaced, no temporary files left behind.
#include <filesystem>

#include "support/program.hpp"

namespace induce::testing {
namespace {

using Output = Program;
const std::string kTiny = " --method vi-jj --inducing 5 --max-iter 2 ";

TEST_F(Output, UnwritablePathFailsBeforeTheFit) {
  write_table("t.csv", 40, 1);
  for (const char* option : {"-o", "--json", "--trace"}) {
    SCOPED_TRACE(option);
    expect_one_error(induce("fit t.csv" + kTiny + option + " missing/file"), 1,
                     {"missing/file", "No such file or directory"});
    expect_one_error(induce("fit t.csv" + kTiny + option + " ."), 1, {"directory"});
  }
  EXPECT_EQ(files(), std::vector<std::string>{"t.csv"});
}

TEST_F(Output, InvalidDataLeavesOldFilesUnchanged) {
  write("bad.csv", "a,b,class\n1,2,x\n3,1e999,y\n");
  for (const char* name : {"m", "j", "l"}) write(name, "old");
  expect_one_error(induce("fit bad.csv -o m --json j --trace l"), 1, {"bad.csv", "line 3", "1e999"});
  for (const char* name : {"m", "j", "l"}) EXPECT_EQ(read(name), "old");
  EXPECT_EQ(files(), (std::vector<std::string>{"bad.csv", "j", "l", "m"}));
}

TEST_F(Output, MissingAndEmptyData) {
  expect_one_error(induce("fit none.csv -o m"), 1, {"none.csv"});
  write("empty.csv", "");
  expect_one_error(induce("fit empty.csv -o m"), 1, {"empty.csv", "empty"});
  EXPECT_EQ(files(), std::vector<std::string>{"empty.csv"});
}

TEST_F(Output, FullDiskKeepsTheOldFile) {
  write_table("t.csv", 40, 1);
  write("m", "old");
  // A file size limit simulates a full disk.
  const Result run = shell("trap '' XFSZ; ulimit -f 1; \"$INDUCE\" fit t.csv" + kTiny + "--inducing 30 -o m");
  expect_one_error(run, 1, {"--output", "m", "File too large"});
  EXPECT_EQ(read("m"), "old");
  EXPECT_EQ(files(), (std::vector<std::string>{"m", "t.csv"}));
}

TEST_F(Output, FullDeviceIsAnError) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full on this system";
  write_table("t.csv", 40, 1);
  EXPECT_EQ(induce("fit t.csv" + kTiny + "--quiet --json /dev/full").status, 1);
  EXPECT_EQ(shell("\"$INDUCE\" fit t.csv" + kTiny + ">/dev/full").status, 1);
  EXPECT_EQ(induce("fit t.csv" + kTiny + "--quiet --json /dev/null -o /dev/null").status, 0);
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST_F(Output, FailedTraceStillWritesTheModel) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full on this system";
  write_table("t.csv", 40, 1);
  const Result run = induce("fit t.csv" + kTiny + "--quiet --trace /dev/full -o m");
  EXPECT_EQ(run.status, 1);
  EXPECT_NE(run.err.find("--trace"), std::string::npos) << run.err;
  EXPECT_TRUE(exists("m"));
}

TEST_F(Output, KeepsLinksAndPermissions) {
  namespace fs = std::filesystem;
  write_table("t.csv", 40, 1);
  write("real", "old");
  fs::permissions(path("real"), fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink("real", path("link"));
  EXPECT_EQ(induce("fit t.csv" + kTiny + "-o link").status, 0);
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_GT(fs::file_size(path("real")), 100U);
  EXPECT_EQ(fs::status(path("real")).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(Output, ClosedPipeLosesNoFile) {
  write_table("t.csv", 2000, 1);
  const Result fit = shell("\"$INDUCE\" fit t.csv" + kTiny + "-o m 2>&1 | true; test -s m");
  EXPECT_EQ(fit.status, 0) << fit.err;
  const Result predict = shell("\"$INDUCE\" predict m t.csv | head -n 1");
  EXPECT_EQ(predict.out, "label,p_left,p_right,latent_mean,latent_variance\n");
  EXPECT_EQ(predict.err, "");
}

TEST_F(Output, QuietIsSilent) {
  write_table("t.csv", 40, 1);
  const Result run = induce("fit t.csv" + kTiny + "--quiet -o m");
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(run.out + run.err, "");
}

TEST_F(Output, NoProgressLineWithoutTerminal) {
  write_table("t.csv", 40, 1);
  const Result run = induce("fit t.csv" + kTiny);
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(run.err, "");
  EXPECT_NE(run.out.find("vi-jj"), std::string::npos);
}

TEST_F(Output, ConstantFeatureIsOneWarning) {
  write("t.csv", "a,b,class\n1,5,x\n2,5,y\n3,5,y\n1.5,5,x\n1,5,x\n2,5,y\n3,5,y\n1.5,5,x\n");
  const Result run = induce("fit t.csv --method vi-jj --inducing 2 --max-iter 2");
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(lines_of(run.err).size(), 1U) << run.err;
  EXPECT_TRUE(run.err.starts_with("induce: warning: ")) << run.err;
  EXPECT_EQ(induce("fit t.csv --quiet --method vi-jj --inducing 2 --max-iter 2").err, "");
}

}  // namespace
}  // namespace induce::testing
