// The part of the reference on options.
#pragma once

#include <string>

namespace induce::cli {

std::string options_page();   // the option table
std::string commands_page();  // further options of each command

}  // namespace induce::cli
