// The state of a computation as named arrays of numbers, exact to the bit.
//
// A class names its members once, in `void archive(Archive& a) { a("x", x_); ... }`: the same lines write
// them and read them back. Every number travels as a double; whole numbers must be below 2^53, and 64 random
// bits go in two halves. Reading trusts nothing: a name that is missing or an array of a wrong size throws.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "linalg/types.hpp"

namespace induce {

using NamedArrays = std::map<std::string, std::vector<double>>;

class Archive {
 public:
  enum class Direction { save, load };
  Archive(NamedArrays& arrays, Direction direction) : arrays_(arrays), direction_(direction) {}

  bool loading() const { return direction_ == Direction::load; }
  // The same arrays, names beginning with "name.".
  Archive inside(const std::string& name) const;

  void operator()(const std::string& name, double& value);
  void operator()(const std::string& name, bool& value);
  void operator()(const std::string& name, int& value);
  void operator()(const std::string& name, long& value);  // Index too
  void operator()(const std::string& name, std::size_t& value);
  void operator()(const std::string& name, Vector& value);
  void operator()(const std::string& name, Matrix& value);
  void operator()(const std::string& name, std::vector<double>& value);
  void operator()(const std::string& name, std::vector<int>& value);
  void operator()(const std::string& name, std::vector<Index>& value);
  void operator()(const std::string& name, std::array<std::uint64_t, 4>& value);
  // Any member that has an archive() of its own.
  template <class Part>
  void part(const std::string& name, Part& value) {
    Archive within = inside(name);
    value.archive(within);
  }

  // To be called where a number read cannot be right.
  [[noreturn]] void reject(const std::string& name, const std::string& why) const;
  // A vector that must have this many numbers when it is read.
  void sized(const std::string& name, Vector& value, Index size);

 private:
  std::vector<double>& slot(const std::string& name);
  template <class Number>
  void number(const std::string& name, Number& value, double least, double most);
  template <class Number>
  void numbers(const std::string& name, std::vector<Number>& value, double least, double most);

  NamedArrays& arrays_;
  Direction direction_;
  std::string prefix_;
};

}  // namespace induce
