// Stores the command line in a checkpoint, so that `induce fit --resume FILE` needs no other arguments.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace induce::cli {

// All options that were given, as JSON text.
std::string note_of_arguments(const CLI::App& parser);

// Sets the stored options that the user has not given again. `path` is the checkpoint, for error messages.
void restore_arguments(CLI::App& parser, const std::string& note, const std::string& path);

}  // namespace induce::cli
