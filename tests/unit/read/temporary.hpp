// Shared by the reader tests: files in a temporary directory that is removed after the test, and a check for
// the fault and the text of an error.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <induce/error.hpp>

#include "read/read.hpp"

namespace induce::test {

class TemporaryFiles : public ::testing::Test {
 protected:
  TemporaryFiles() {
    std::string name = (std::filesystem::temp_directory_path() / "induce-data-XXXXXX").string();
    if (!::mkdtemp(name.data())) throw std::runtime_error("cannot create temporary directory " + name);
    folder_ = name;
  }
  ~TemporaryFiles() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  std::string write(const std::string& name, std::string_view text) const {
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
  }

  Dataset read(std::string_view text, const ReadOptions& options = {}) const {
    return read_dataset(write("table", text), options);
  }

  // Expects an Error whose message contains all the parts.
  void expect_refused(std::string_view text, const std::vector<std::string>& parts,
                      const ReadOptions& options = {}, Fault fault = Fault::data) const {
    expect_file_refused(write("table", text), parts, options, fault);
  }

  static void expect_file_refused(const std::string& file, const std::vector<std::string>& parts,
                                  const ReadOptions& options = {}, Fault fault = Fault::data) {
    try {
      read_dataset(file, options);
      ADD_FAILURE() << "was accepted: " << file;
    } catch (const Error& error) {
      EXPECT_EQ(error.fault(), fault) << error.what();
      for (const std::string& part : parts)
        EXPECT_NE(std::string(error.what()).find(part), std::string::npos)
            << "'" << part << "' is not in: " << error.what();
    }
  }

 private:
  std::filesystem::path folder_;
};

using Strings = std::vector<std::string>;
using Ints = std::vector<int>;

inline RowMatrix table(std::initializer_list<std::initializer_list<double>> rows) { return RowMatrix(rows); }

}  // namespace induce::test
