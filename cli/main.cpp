#include "program.hpp"
#include "vector_kernels.hpp"

int main(int argc, char** argv) {
  induce::cli::use_vector_kernels(argv);
  return induce::cli::run_program(argc, argv);
}
