// Every error that a user can cause or fix is an induce::Error. Its text names the argument, its
// value, the limit it broke and, for a file, the line.
#pragma once

#include <stdexcept>
#include <string>

#include <induce/api.hpp>

namespace induce {

enum class Fault {
  usage,  // an option or argument is wrong: the command line exits with 2
  data,   // a file, a table or a fit is wrong: the command line exits with 1
};

class INDUCE_API Error : public std::runtime_error {
 public:
  Error(Fault fault, const std::string& what) : std::runtime_error(what), fault_(fault) {}
  Fault fault() const noexcept { return fault_; }

 private:
  Fault fault_;
};

inline Error usage_error(const std::string& what) { return {Fault::usage, what}; }
inline Error data_error(const std::string& what) { return {Fault::data, what}; }

}  // namespace induce
