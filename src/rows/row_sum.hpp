// What rows add up to: numbers that can be added and sent elsewhere as one array.
#pragma once

#include <concepts>
#include <span>

#include "linalg/types.hpp"

namespace induce {

template <class Sum>
concept AddsUp = requires(Sum sum, const Sum& other) {
  sum += other;
  { sum.numbers() } -> std::convertible_to<std::span<double>>;
};

// A sum whose parts are views of one array. A part that is reduced further must be copied first: Eigen's
// reductions depend on the address of a view, in the last bit.
class RowSum {
 public:
  RowSum& operator+=(const RowSum& other) {
    numbers_ += other.numbers_;
    return *this;
  }
  std::span<double> numbers() { return {numbers_.data(), static_cast<std::size_t>(numbers_.size())}; }

 protected:
  using MatrixView = Eigen::Map<Matrix>;
  using VectorView = Eigen::Map<Vector>;
  using ConstMatrixView = Eigen::Map<const Matrix>;
  using ConstVectorView = Eigen::Map<const Vector>;

  Vector numbers_;
};

}  // namespace induce
