// The name of a temporary file. All names in use are in one list, so that a signal handler can remove the
// files before the process ends.
#pragma once

#include <functional>
#include <string>

namespace induce::detail {

class TemporaryName {
 public:
  TemporaryName() = default;
  ~TemporaryName() { forget(); }
  TemporaryName(const TemporaryName&) = delete;
  TemporaryName& operator=(const TemporaryName&) = delete;

  // Tries names in `folder` until `create` succeeds; `create` reports failure in errno. Returns 0 or an errno
  // value.
  int make(const std::string& folder, const std::function<bool(const char* name)>& create);
  void remove();  // deletes the file, if there is a name
  void forget();  // drops the name; the file is no longer temporary

  bool empty() const { return name_.empty(); }
  const char* c_str() const { return name_.c_str(); }

 private:
  std::string name_;
  int slot_ = -1;
};

// Deletes every file that has a temporary name. Safe to call from a signal handler.
void remove_temporaries() noexcept;

}  // namespace induce::detail
