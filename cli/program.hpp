// The program `induce`, run by main.cpp and by `python -m induce`.
#pragma once

#include "commands.hpp"

namespace induce::cli {

// Runs the command that the user chose of those that `add` adds. Returns the exit status: 0 success, 1 error in the data or
// the fit, 2 wrong usage. Installs signal handlers.
int run_program(int argc, char** argv, std::vector<Command> (*add)(CLI::App& program) = add_commands);

}  // namespace induce::cli
