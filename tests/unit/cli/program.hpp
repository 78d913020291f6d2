// Runs the program in a temporary folder and captures exit status, stdout, stderr and files. INDUCE_COMMAND is its
// path; empty if it was not built.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace induce::testing {

struct Result {
  int status = -1;  // exit status, or 128 + signal number
  std::string out, err;
};

class Program : public ::testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  Result induce(const std::string& arguments) const;    // parsed by the shell
  Result shell(const std::string& command_line) const;  // "$INDUCE" is the program

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  void write(const std::string& name, const std::string& text) const;
  std::string read(const std::string& name) const;
  bool exists(const std::string& name) const { return std::filesystem::exists(folder_ / name); }
  std::vector<std::string> files() const;  // names of all files in the folder, sorted

  // Writes two classes with a curved boundary, features `a` and `b`, label column `class`.
  void write_table(const std::string& name, int rows, unsigned seed, const std::string& first_class = "left",
                   const std::string& second_class = "right", bool with_labels = true) const;

 private:
  std::filesystem::path folder_;
};

std::vector<std::string> lines_of(const std::string& text);

// Expects `err` to be one line that starts with the program's name and contains every part.
void expect_one_error(const Result& run, int status, const std::vector<std::string>& parts,
                      const std::string& program = "induce");

}  // namespace induce::testing
