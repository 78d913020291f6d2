// Sums over rows: values that can be added and transferred as one array.
#pragma once

#include <concepts>
#include <span>

#include "linalg/types.hpp"

namespace induce::detail {

template <class Sum>
concept Summable = requires(Sum sum, const Sum& other) {
  sum += other;
  { sum.numbers() } -> std::convertible_to<std::span<double>>;
  sum.resize_like(other);
};

// A sum whose parts are views of one array. Copy a part before reducing it further: the last bit of Eigen's
// reductions depends on the address of a view.
class RowSum {
 public:
  RowSum& operator+=(const RowSum& other) {
    numbers_ += other.numbers_;
    return *this;
  }
  std::span<double> numbers() { return {numbers_.data(), static_cast<std::size_t>(numbers_.size())}; }
  // Allocates the same size; does not copy the values.
  void resize_like(const RowSum& other) { numbers_.resize(other.numbers_.size()); }

 protected:
  using MatrixView = Eigen::Map<Matrix>;
  using VectorView = Eigen::Map<Vector>;

  Vector numbers_;
};

// A few unnamed totals.
template <int count>
class Totals : public RowSum {
 public:
  void clear(Index more = 0) { numbers_.setZero(count + more); }
  double& operator[](Index k) { return numbers_[k]; }
};

}  // namespace induce::detail
