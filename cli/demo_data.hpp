// Made-up data for `induce demo`: two noisy arms of a spiral, one class each.
#pragma once

#include <cstddef>
#include <cstdint>

#include "io/dataset.hpp"

namespace induce::cli {

Dataset spiral_arms(std::size_t rows, std::uint64_t seed);

}  // namespace induce::cli
