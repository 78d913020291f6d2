// Writes or checks docs/reference.md, which lists every option and field from the tables that the program uses.
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

#include "page.hpp"

int main(int argc, char** argv) {
  const std::string mode = argc == 3 ? argv[1] : "", path = argc == 3 ? argv[2] : "";
  const std::string page = induce::cli::reference_page();
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
