// Lists of numbers as tensors, and checks of what a file may hold.
#pragma once

#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "model/safetensors.hpp"

namespace induce::detail {

inline Tensor list_of(std::vector<double> values) { return {{values.size()}, std::move(values)}; }

inline std::vector<double> numbers(const CheckedTensors& file, const std::string& name) {
  std::vector<double> out(file.count(name));
  file.copy(name, out.data());
  return out;
}

inline bool is_index(double x, std::size_t below) {
  return x >= 0 && x < static_cast<double>(below) && x == std::floor(x);
}

}  // namespace induce::detail
