// `induce export`: the file, and what it says if it cannot write it.
#include "support/program.hpp"

namespace induce::testing {
namespace {

using ExportCommand = Program;

TEST_F(ExportCommand, WritesAHeaderThatNamesColumnsAndClasses) {
  write_table("train.csv", 100, 1, "*/ left", "right");
  ASSERT_EQ(induce("fit train.csv --inducing 8 --max-iter 3 --quiet -o m").status, 0);
  const Result run = induce("export m --c m.h");
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_TRUE(run.out.starts_with("m.h: C header of ")) << run.out;
  const std::string header = read("m.h");
  EXPECT_NE(header.find("0  'a', number"), std::string::npos);
  EXPECT_NE(header.find("0  '\\052\\057 left'"), std::string::npos);
  EXPECT_NE(header.find("label     'class'"), std::string::npos);
  EXPECT_NE(header.find(" different rows\n"), std::string::npos);
  EXPECT_EQ(files(), (std::vector<std::string>{"m", "m.h", "train.csv"}));
}

TEST_F(ExportCommand, SaysWhatIsWrong) {
  write_table("train.csv", 100, 1);
  ASSERT_EQ(induce("fit train.csv --inducing 8 --max-iter 3 --quiet -o m").status, 0);
  expect_one_error(induce("export m"), 2, {"nothing to write: give --c FILE or --onnx FILE"});
  expect_one_error(induce("export m --c m"), 2, {"--c: 'm' is also given as MODEL"});
  expect_one_error(induce("export m --onnx x"), 2, {"--onnx", "Python package", "induce[onnx]"});
  expect_one_error(induce("export train.csv --c x.h"), 1, {"train.csv"});
  expect_one_error(induce("export m --c no/x.h"), 1, {"--c", "no/x.h"});
  EXPECT_FALSE(exists("x.h"));
}

}  // namespace
}  // namespace induce::testing
