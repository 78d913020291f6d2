// docs/reference.md as text.
#pragma once

#include <string>

namespace induce::cli {

std::string reference_page();

}  // namespace induce::cli
