// Writes or checks docs/reference.md, which lists every option and field from the tables that the program uses.
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

#include "markdown.hpp"

namespace {

constexpr const char* kIntroduction = R"(# Reference
Every option and every result field. This page is generated from the tables in `src/describe` by
`cmake --build build --target reference`; a test fails if it is out of date.

## Options of a fit
The names are those of `induce::Options` in C++, of the parameters of `GPClassifier` in Python and of "options" in
the JSON summary. A value chosen by the library is `null` or `"auto"` in JSON and `None` or `"auto"` in Python.
Options with "affects result: yes" must be unchanged when a fit is resumed from a checkpoint. The same options, data
and seed give bitwise identical results.
Python also has `class_weight`, `callback` and `verbose` ([python.md](python.md)).
)";

constexpr const char* kCommands = R"(
## Further options of the command line
)";

}  // namespace

int main(int argc, char** argv) {
  const std::string mode = argc == 3 ? argv[1] : "", path = argc == 3 ? argv[2] : "";
  const std::string page = kIntroduction + induce::cli::options_text() + kCommands +
                           induce::cli::commands_text() + induce::cli::fields_text();
  if (mode == "--write") return std::ofstream(path, std::ios::binary) << page << std::flush ? 0 : 1;
  if (mode == "--check") {
    std::ifstream file(path, std::ios::binary);
    if (std::string(std::istreambuf_iterator<char>(file), {}) == page) return 0;
    std::cerr << path << " is out of date: build the target `reference`\n";
    return 1;
  }
  std::cerr << "usage: induce_reference --write|--check FILE\n";
  return 2;
}
