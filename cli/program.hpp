// The program `induce`, for whoever starts it: main.cpp, or `python -m induce`.
#pragma once

namespace induce::cli {

// The exit status: 0 done, 1 the data or the fit failed, 2 wrong usage. Takes over the process's signals.
int run_program(int argc, char** argv);

}  // namespace induce::cli
