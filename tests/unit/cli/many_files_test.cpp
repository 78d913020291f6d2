// DATA of several files, folders and patterns, and tables that are predicted in batches. Oracle: the same rows in one file, or
// in one batch.
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <random>

#include "support/program.hpp"

namespace induce::testing {
namespace {

class ManyFiles : public Program {
 protected:
  void SetUp() override {
    Program::SetUp();
    write_table("all.csv", 120, 1);
    const std::vector<std::string> lines = lines_of(read("all.csv"));
    std::filesystem::create_directory(path("parts"));
    std::string part[3];
    for (std::size_t i = 1; i < lines.size(); ++i) part[(i - 1) / 40] += lines[i] + "\n";
    for (int k = 0; k < 3; ++k) write("parts/part-" + std::to_string(k) + ".csv", lines[0] + "\n" + part[k]);
    write("parts/_SUCCESS", "");
    write("parts/.hidden", "x");
    ASSERT_EQ(shell("gzip parts/part-1.csv").status, 0);
    ASSERT_EQ(induce("fit all.csv -o m --max-iter 3 --quiet").status, 0);
  }
};

TEST_F(ManyFiles, AreOneTable) {
  const std::string model = read("m");
  for (const char* data :
       {"parts/part-0.csv parts/part-1.csv.gz parts/part-2.csv", "parts", "'parts/part-*'"}) {
    ASSERT_EQ(induce(std::string("fit ") + data + " -o m2 --max-iter 3 --quiet").status, 0) << data;
    EXPECT_EQ(read("m2"), model) << data;
    EXPECT_EQ(induce(std::string("predict m ") + data).out, induce("predict m all.csv").out) << data;
    EXPECT_EQ(induce(std::string("eval m ") + data).out, induce("eval m all.csv").out) << data;
  }
}

TEST_F(ManyFiles, MustAgree) {
  write("parts/part-3.csv", "b,a,class\n1,2,left\n");
  expect_one_error(induce("fit parts"), 1,
                   {"parts/part-3.csv', line 1", "column 1 is 'b', expected 'a'", "parts/part-0.csv"});
  write("parts/part-3.csv", "a,b,class\n1,2,left\n3,left\n");
  expect_one_error(induce("fit parts"), 1, {"parts/part-3.csv', line 3", "2 columns, expected 3"});
  write("parts/part-3.csv", "1,2,left\n");
  expect_one_error(induce("predict m parts"), 1, {"parts/part-3.csv', line 1", "'1', expected 'a'"});
  write("parts/part-3.csv", "");  // no rows
  EXPECT_EQ(induce("eval m parts").out, induce("eval m all.csv").out);
}

TEST_F(ManyFiles, NoneIsAnError) {
  expect_one_error(induce("fit 'nothing-*.csv'"), 1, {"no file matches 'nothing-*.csv'"});
  std::filesystem::create_directory(path("empty"));
  expect_one_error(induce("predict m empty"), 1, {"the folder 'empty' has no files"});
  expect_one_error(induce("predict m parts -o parts/part-0.csv"), 2, {"--output", "is also given as DATA"});
}

class Batches : public Program {
 protected:
  // Rows of `train.csv` or of other tables: numbers, texts, gaps that training did not have, and ids.
  void write_rows(const std::string& name, int rows, bool training) const {
    std::mt19937 random(training ? 1 : 2);
    std::normal_distribution<double> normal;
    std::ofstream file(path(name));
    file << "name,a,b,colour,class\n";
    for (int i = 0; i < rows; ++i) {
      const double a = normal(random), b = normal(random);
      const bool gap = !training && i % 97 == 5;
      file << "person " << i << "," << a << "," << (gap ? "" : std::to_string(b)) << ","
           << (training || i % 1000 ? (i % 3 ? "red" : "blue") : "violet") << ","
           << (a * a + b > 1 ? "in" : "out") << "\n";
    }
  }
  void SetUp() override {
    Program::SetUp();
    write_rows("train.csv", 300, true);
    ASSERT_EQ(induce("fit train.csv -o m --inducing 10 --max-iter 3 --quiet").status, 0);
  }
};

// Kilobytes of a program, and its exit status.
long peak_of(const std::vector<std::string>& words, int& status) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t process = 0;
  if (::posix_spawn(&process, arguments[0], nullptr, nullptr, arguments.data(), environ) != 0) return 0;
  rusage usage{};
  ::wait4(process, &status, 0, &usage);
  return usage.ru_maxrss;
}

TEST_F(Batches, PredictionsOfManyRowsNeedLittleMemory) {
#ifdef INDUCE_SANITIZED  // slow, and its memory means nothing
  GTEST_SKIP() << "runs in the release build";
#endif
  write_rows("long.csv", 300000, false);
  ASSERT_EQ(shell("for k in 1 2 3 4; do tail -n +2 long.csv; done > rest; "
                  "(head -n 1 long.csv; cat rest) > longer.csv")
                .status,
            0);
  EXPECT_GT(std::filesystem::file_size(path("longer.csv")), 40'000'000U);
  int status = -1;
  [[maybe_unused]] const long peak = peak_of(
      {INDUCE_COMMAND, "predict", path("m"), path("longer.csv"), "-o", path("p4.csv"), "--threads", "2"},
      status);
  EXPECT_EQ(status, 0);
#ifndef INDUCE_SANITIZED
  EXPECT_LT(peak, 80 * 1024);
#endif
  const Result once = induce("predict m long.csv --id name -o p.csv");
  ASSERT_EQ(once.status, 0) << once.err;
  EXPECT_NE(
      once.err.find("column 4 ('colour'): 1 value is unknown to the model, the first 'violet' in line 2"),
      std::string::npos)
      << once.err;
  EXPECT_NE(once.err.find("3,093 rows have gaps"), std::string::npos) << once.err;
  EXPECT_EQ(
      shell("cut -d, -f2,3 p.csv | head -n 60000 > a; head -n 60000 p4.csv | cut -d, -f1,2 > b; cmp a b; "
            "wc -l < p.csv; wc -l < p4.csv")
          .out,
      "300001\n1200001\n");
}

TEST_F(Batches, ErrorsHaveTheirLines) {
  write_rows("long.csv", 200000, false);
  std::string text = read("long.csv");
  const std::size_t at = text.find("person 190000,") + 14;
  text.insert(at, "x");
  write("long.csv", text);
  const Result run = induce("predict m long.csv -o p.csv");
  expect_one_error(run, 1, {"'long.csv', line 190002", "column 2 ('a')", "is not a number"});
  EXPECT_FALSE(exists("p.csv"));
  const Result partly = induce("predict m long.csv");
  EXPECT_GT(lines_of(partly.out).size(), 60000U);
  EXPECT_EQ(partly.status, 1);
}

}  // namespace
}  // namespace induce::testing
