// The name of a temporary file. All names in use are in one list, so that a program that is about to be ended by a
// signal can remove the files.
#pragma once

#include <functional>
#include <string>

namespace induce {

class TemporaryName {
 public:
  TemporaryName() = default;
  ~TemporaryName() { forget(); }
  TemporaryName(const TemporaryName&) = delete;
  TemporaryName& operator=(const TemporaryName&) = delete;

  // Tries names of `folder` until `create` succeeds; errno says why it did not. Zero, or the error.
  int make(const std::string& folder, const std::function<bool(const char* name)>& create);
  void remove();  // the file, if there is a name
  void forget();  // the name; the file is no longer temporary

  bool empty() const { return name_.empty(); }
  const char* c_str() const { return name_.c_str(); }

 private:
  std::string name_;
  int slot_ = -1;
};

// Removes every file that has a temporary name. Safe to call from a signal handler.
void remove_temporaries() noexcept;

}  // namespace induce
