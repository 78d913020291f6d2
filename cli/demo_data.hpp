// Synthetic data for `induce demo`: two noisy spiral arms, one per class.
#pragma once

#include <cstddef>
#include <cstdint>

#include "internals.hpp"
#include "read/dataset.hpp"

namespace induce::cli {

Dataset spiral_arms(std::size_t rows, std::uint64_t seed);

}  // namespace induce::cli
