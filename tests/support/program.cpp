#include "support/program.hpp"

#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "linalg/random.hpp"

namespace induce::testing {
namespace fs = std::filesystem;

void Program::SetUp() {
  if (std::string(INDUCE_COMMAND).empty()) GTEST_SKIP() << "the command line was not built";
  std::string name = (fs::temp_directory_path() / "induce-cli-XXXXXX").string();
  ASSERT_NE(::mkdtemp(name.data()), nullptr);
  folder_ = name;
}

void Program::TearDown() {
  if (!folder_.empty()) fs::remove_all(folder_);
}

Result Program::induce(const std::string& arguments) const { return shell("\"$INDUCE\" " + arguments); }

Result Program::shell(const std::string& command_line) const {
  // Redirect output to a sibling folder, so that files() lists only files written by the program.
  const std::string results = folder_.string() + ".results";
  fs::create_directory(results);
  const std::string whole = "cd '" + folder_.string() + "' && INDUCE='" INDUCE_COMMAND "' && { " +
                            command_line + "\n} >'" + results + "/out' 2>'" + results + "/err' </dev/null";
  const int wait_status = std::system(whole.c_str());
  Result run;
  run.status = WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : 128 + WTERMSIG(wait_status);
  run.out = read("../" + folder_.filename().string() + ".results/out");
  run.err = read("../" + folder_.filename().string() + ".results/err");
  fs::remove_all(results);
  return run;
}

void Program::write(const std::string& name, const std::string& text) const {
  std::ofstream(folder_ / name, std::ios::binary) << text;
}

std::string Program::read(const std::string& name) const {
  std::ifstream in(folder_ / name, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::string> Program::files() const {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder_)) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

void Program::write_table(const std::string& name, int rows, unsigned seed, const std::string& first_class,
                          const std::string& second_class, bool with_labels) const {
  Random random(seed);
  std::ostringstream text;
  text.precision(17);
  text << (with_labels ? "a,b,class\n" : "a,b\n");
  for (int i = 0; i < rows; ++i) {
    const double a = random.normal(), b = random.normal();
    const bool right = b + 0.3 * random.normal() > a * a - 0.7;
    text << a << "," << b;
    if (with_labels) text << ",\"" << (right ? second_class : first_class) << "\"";
    text << "\n";
  }
  write(name, text.str());
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

void expect_one_error(const Result& run, int status, const std::vector<std::string>& parts,
                      const std::string& program) {
  EXPECT_EQ(run.status, status) << run.err;
  EXPECT_EQ(run.out, "");
  EXPECT_EQ(lines_of(run.err).size(), 1U) << run.err;
  EXPECT_TRUE(run.err.starts_with(program + ": ")) << run.err;
  for (const std::string& part : parts)
    EXPECT_NE(run.err.find(part), std::string::npos) << part << "\nin " << run.err;
}

}  // namespace induce::testing
