// A program that only predicts: it loads a model and answers rows of numbers, one per line, from standard input.
//   ./predict my.model <rows.csv
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include <induce/error.hpp>
#include <induce/model.hpp>
#include <induce/version.hpp>

int main(int argc, char** argv) try {
  if (argc != 2) {
    std::fprintf(stderr, "usage: predict MODEL <ROWS   (induce %s)\n", INDUCE_VERSION);
    return 2;
  }
  const induce::Model model = induce::Model::load(argv[1]);
  for (std::string line; std::getline(std::cin, line);) {
    std::vector<double> row;
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');) row.push_back(std::strtod(cell.c_str(), nullptr));
    const induce::Prediction p = model.predict({row.data(), 1, row.size()});
    for (std::size_t c = 0; c < p.classes; ++c)
      std::printf("%s%s %.6f", c ? ", " : "", model.names().classes[c].c_str(), p.probability(0, c));
    std::printf("\n");
  }
  return EXIT_SUCCESS;
} catch (const induce::Error& error) {  // a file or a row that cannot be used; says what and where
  std::fprintf(stderr, "predict: %s\n", error.what());
  return EXIT_FAILURE;
} catch (const std::exception& error) {
  std::fprintf(stderr, "predict: %s\n", error.what());
  return EXIT_FAILURE;
}
