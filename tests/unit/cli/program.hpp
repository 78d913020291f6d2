// Runs the built program as a user would: in a folder of its own, and looks at exit status, stdout,
// stderr and files. INDUCE_COMMAND is the program's path; empty if it was not built.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace induce::testing {

struct Ran {
  int status = -1;  // exit status; 128 + signal if a signal ended it
  std::string out, err;
};

class Program : public ::testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  Ran induce(const std::string& arguments) const;    // arguments as a shell reads them
  Ran shell(const std::string& command_line) const;  // "$INDUCE" is the program

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  void write(const std::string& name, const std::string& text) const;
  std::string read(const std::string& name) const;
  bool exists(const std::string& name) const { return std::filesystem::exists(folder_ / name); }
  std::vector<std::string> files() const;  // names of all files in the folder, sorted

  // Two classes with a curved boundary, features `a` and `b`, label column `kind`.
  void write_table(const std::string& name, int rows, unsigned seed, const std::string& first_class = "left",
                   const std::string& second_class = "right", bool with_labels = true) const;

 private:
  std::filesystem::path folder_;
};

std::vector<std::string> lines_of(const std::string& text);

// `err` must be one line that starts with "induce: " and has every part in it.
void expect_one_error(const Ran& run, int status, const std::vector<std::string>& parts);

}  // namespace induce::testing
