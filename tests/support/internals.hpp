// Tests use more of the library than its public headers declare. Included in all of them, with the precompiled headers.
#pragma once

namespace induce::detail {}

namespace induce {
using namespace detail;
}  // namespace induce
