// The command uses more of the library than its public headers declare.
#pragma once

namespace induce::detail {}

namespace induce::cli {
using namespace detail;
}  // namespace induce::cli
