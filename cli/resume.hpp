// The words of a command line in a checkpoint, so that `induce fit --resume FILE` needs no other.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace induce::cli {

// Every option that was given, as a text to be kept.
std::string note_of_arguments(const CLI::App& parser);

// Gives `parser` what the note has and the user has not given anew; `path` is the checkpoint, for error
// texts.
void restore_arguments(CLI::App& parser, const std::string& note, const std::string& path);

}  // namespace induce::cli
