#include "program.hpp"

int main(int argc, char** argv) { return induce::cli::run_program(argc, argv); }
