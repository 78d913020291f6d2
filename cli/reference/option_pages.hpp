// The half of the reference that tells what can be asked for.
#pragma once

#include <string>

namespace induce::cli {

std::string options_page();   // the options of a fit, from the table of options
std::string commands_page();  // what each command of the program takes besides

}  // namespace induce::cli
