// Numbers that belong to rows, a fixed count for each: in memory, or wherever a derived class keeps them.
#pragma once

#include <algorithm>
#include <vector>

#include "linalg/types.hpp"

namespace induce::detail {

class RowNumbers {
 public:
  explicit RowNumbers(Index width) : width_(width) {}
  virtual ~RowNumbers() = default;
  RowNumbers(const RowNumbers&) = delete;
  RowNumbers& operator=(const RowNumbers&) = delete;

  Index width() const { return width_; }
  // Different rows may be read and written concurrently. A buffer has room for the numbers of the rows; the result
  // points to it or to where the numbers are, and is valid until the buffer is used again.
  virtual const double* read(Index first, Index rows, double* buffer) const = 0;
  virtual void write(Index first, Index rows, const double* numbers) = 0;

 private:
  Index width_;
};

class NumbersInMemory final : public RowNumbers {
 public:
  NumbersInMemory(Index rows, Index width) : RowNumbers(width), numbers_(rows * width) {}
  explicit NumbersInMemory(Vector numbers) : RowNumbers(1), numbers_(std::move(numbers)) {}
  const double* read(Index first, Index /*rows*/, double* /*buffer*/) const override {
    return numbers_.data() + first * width();
  }
  void write(Index first, Index rows, const double* numbers) override {
    std::copy_n(numbers, rows * width(), numbers_.data() + first * width());
  }

 private:
  Vector numbers_;
};

// A vector that exists already and must outlive this.
class ViewOfNumbers final : public RowNumbers {
 public:
  explicit ViewOfNumbers(const Vector& numbers) : RowNumbers(1), numbers_(numbers.data()) {}
  const double* read(Index first, Index /*rows*/, double* /*buffer*/) const override {
    return numbers_ + first;
  }
  void write(Index /*first*/, Index /*rows*/, const double* /*numbers*/) override {}

 private:
  const double* numbers_;
};

}  // namespace induce::detail
