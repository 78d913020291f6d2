// Bitwise exact serialization of a computation's state to named arrays.
//
// A class lists its members once, in `void archive(Archive& a) { a("x", x_); ... }`, for both saving and
// loading. Every number is stored as a double; integers must be below 2^53.
// Loading validates all input: a missing name or an array of the wrong size throws.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "linalg/types.hpp"

namespace induce::detail {

using NamedArrays = std::map<std::string, std::vector<double>>;

class Archive {
 public:
  enum class Direction { save, load };
  Archive(NamedArrays& arrays, Direction direction) : arrays_(arrays), direction_(direction) {}

  bool loading() const { return direction_ == Direction::load; }
  // The same arrays, with names prefixed by "name.".
  Archive inside(const std::string& name) const;

  void operator()(const std::string& name, double& value);
  void operator()(const std::string& name, bool& value);
  void operator()(const std::string& name, int& value);
  void operator()(const std::string& name, long& value);  // also Index
  void operator()(const std::string& name, std::size_t& value);
  void operator()(const std::string& name, Vector& value);
  void operator()(const std::string& name, Matrix& value);
  void operator()(const std::string& name, std::vector<double>& value);
  void operator()(const std::string& name, std::vector<int>& value);
  void operator()(const std::string& name, std::vector<Index>& value);
  // For members that have an archive() function.
  template <class Part>
  void part(const std::string& name, Part& value) {
    Archive within = inside(name);
    value.archive(within);
  }

  // Throws a data Error; call it when a loaded value is invalid.
  [[noreturn]] void reject(const std::string& name, const std::string& why) const;
  // A vector whose size is checked on loading.
  void sized(const std::string& name, Vector& value, Index size);

 private:
  std::vector<double>& slot(const std::string& name);
  template <class Number>
  void number(const std::string& name, Number& value, double low, double high);
  template <class Number>
  void numbers(const std::string& name, std::vector<Number>& value, double low, double high);

  NamedArrays& arrays_;
  Direction direction_;
  std::string prefix_;
};

}  // namespace induce::detail
