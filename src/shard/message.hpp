// Messages between the driver of a fit and the shards that have its rows: numbers and texts in a fixed order, as bytes
// of the machine. Both ends are the same program, so there are no names and no versions; a reader still checks sizes.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <induce/error.hpp>

#include "linalg/types.hpp"

namespace induce::detail {

class MessageWriter {
 public:
  void number(double value) { raw(&value, sizeof value); }
  void count(Index value) { raw(&value, sizeof value); }
  void text(std::string_view value) {
    count(static_cast<Index>(value.size()));
    raw(value.data(), value.size());
  }
  void numbers(const double* values, Index size) {
    count(size);
    raw(values, static_cast<std::size_t>(size) * sizeof(double));
  }
  // The same, without the zeros of long runs: sums and solvers have triangles of them.
  void runs(const double* values, Index size) {
    constexpr Index short_run = 4;  // not worth two counts
    count(size);
    for (Index at = 0; at < size;) {
      const Index first = next(values, at, size, false);
      Index end = first;
      while (end < size) {
        const Index zero = next(values, end, size, true), other = next(values, zero, size, false);
        end = zero;
        if (other - zero > short_run || other == size) break;
        end = other;
      }
      count(first - at);
      numbers(values + first, end - first);
      at = end;
    }
  }
  void vector(const Vector& value) { numbers(value.data(), value.size()); }
  void matrix(const Matrix& value) {
    count(value.rows());
    count(value.cols());
    numbers(value.data(), value.size());
  }
  void counts(std::span<const Index> values) {
    count(static_cast<Index>(values.size()));
    raw(values.data(), values.size_bytes());
  }

  const std::string& bytes() const { return bytes_; }
  std::string take() { return std::move(bytes_); }

 private:
  // From `at` on, the first number that is zero (and not minus zero) or that is not.
  static Index next(const double* values, Index at, Index size, bool zero) {
    while (at < size && (std::bit_cast<std::uint64_t>(values[at]) == 0) != zero) ++at;
    return at;
  }
  void raw(const void* data, std::size_t size) { bytes_.append(static_cast<const char*>(data), size); }
  std::string bytes_;
};

class MessageReader {
 public:
  explicit MessageReader(std::string_view bytes) : left_(bytes) {}

  double number() { return one<double>(); }
  Index count() { return one<Index>(); }
  std::string text() {
    const std::string_view bytes = take(size_of(1));
    return std::string(bytes);
  }
  Vector vector() {
    Vector value(static_cast<Index>(size_of(sizeof(double))));
    copy(value.data(), static_cast<std::size_t>(value.size()) * sizeof(double));
    return value;
  }
  Matrix matrix() {
    const Index rows = count(), columns = count(), size = static_cast<Index>(size_of(sizeof(double)));
    if (rows < 0 || columns < 0 || (rows == 0 ? size != 0 : size % rows != 0 || size / rows != columns))
      fail();
    Matrix value(rows, columns);
    copy(value.data(), static_cast<std::size_t>(size) * sizeof(double));
    return value;
  }
  // The numbers must be as many as there is room for.
  void runs(std::span<double> to) {
    if (count() != static_cast<Index>(to.size())) fail();
    while (!to.empty()) {
      const Index zeros = count();
      if (zeros < 0 || static_cast<std::size_t>(zeros) > to.size()) fail();
      std::fill_n(to.begin(), zeros, 0.0);
      to = to.subspan(static_cast<std::size_t>(zeros));
      const std::size_t size = size_of(sizeof(double));
      if (size > to.size() || (zeros == 0 && size == 0)) fail();
      copy(to.data(), size * sizeof(double));
      to = to.subspan(size);
    }
  }
  void numbers(std::span<double> to) {
    if (size_of(sizeof(double)) != to.size()) fail();
    copy(to.data(), to.size_bytes());
  }
  std::vector<Index> counts() {
    std::vector<Index> values(size_of(sizeof(Index)));
    copy(values.data(), values.size() * sizeof(Index));
    return values;
  }
  std::string_view rest() const { return left_; }

 private:
  template <class Value>
  Value one() {
    Value value;
    copy(&value, sizeof value);
    return value;
  }
  // The size of a list whose elements have this many bytes.
  std::size_t size_of(std::size_t element) {
    const Index size = count();
    if (size < 0 || static_cast<std::size_t>(size) > left_.size() / element) fail();
    return static_cast<std::size_t>(size);
  }
  std::string_view take(std::size_t size) {
    if (size > left_.size()) fail();
    const std::string_view taken = left_.substr(0, size);
    left_.remove_prefix(size);
    return taken;
  }
  void copy(void* to, std::size_t size) {
    const std::string_view from = take(size);
    if (size > 0) std::memcpy(to, from.data(), size);
  }
  [[noreturn]] static void fail() { throw data_error("a message between processes of the fit is damaged"); }

  std::string_view left_;
};

}  // namespace induce::detail
