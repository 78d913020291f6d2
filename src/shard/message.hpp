// Messages between the driver of a fit and the shards that have its rows: numbers and texts in a fixed order, as bytes
// of the machine. Both ends are the same program, so there are no names and no versions; a reader still checks sizes.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <induce/error.hpp>

#include "linalg/types.hpp"

namespace induce {

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
  void vector(const Vector& value) { numbers(value.data(), value.size()); }
  void matrix(const Matrix& value) {
    count(value.rows());
    numbers(value.data(), value.size());
  }
  void counts(std::span<const Index> values) {
    count(static_cast<Index>(values.size()));
    raw(values.data(), values.size_bytes());
  }

  const std::string& bytes() const { return bytes_; }
  std::string take() { return std::move(bytes_); }

 private:
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
    const Index rows = count(), size = static_cast<Index>(size_of(sizeof(double)));
    if (rows < 0 || (rows == 0 ? size != 0 : size % rows != 0)) fail();
    Matrix value(rows, rows == 0 ? 0 : size / rows);
    copy(value.data(), static_cast<std::size_t>(size) * sizeof(double));
    return value;
  }
  // The numbers must be as many as there is room for.
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
  // Of a list whose elements have this many bytes.
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

}  // namespace induce
