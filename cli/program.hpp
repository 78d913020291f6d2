// The program `induce`, run by main.cpp and by `python -m induce`.
#pragma once

namespace induce::cli {

// Returns the exit status: 0 success, 1 error in the data or the fit, 2 wrong usage. Installs signal handlers.
int run_program(int argc, char** argv);

}  // namespace induce::cli
