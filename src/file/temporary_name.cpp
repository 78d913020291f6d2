// See temporary_name.hpp. The list is a fixed array, which a signal handler can read without using the heap.
// If it is full, the name is used anyway; only a signal would then leave the file behind.
#include "file/temporary_name.hpp"

#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace induce::detail {
namespace {

std::array<std::atomic<char*>, 64> names_in_use{};

int add_to_list(const std::string& name) {
  char* copy = ::strdup(name.c_str());
  for (std::size_t slot = 0; copy && slot < names_in_use.size(); ++slot) {
    char* empty = nullptr;
    if (names_in_use[slot].compare_exchange_strong(empty, copy)) return static_cast<int>(slot);
  }
  std::free(copy);
  return -1;
}

// Short and independent of the final name, which may already have the maximum length.
std::string unused_name(const std::string& folder) {
  static std::atomic<unsigned> serial{0};
  return folder + "/.induce-" + std::to_string(::getpid()) + "-" + std::to_string(serial++) + ".tmp";
}

}  // namespace

int TemporaryName::make(const std::string& folder, const std::function<bool(const char*)>& create) {
  constexpr int attempts = 100;
  int error = EEXIST;
  for (int attempt = 0; attempt < attempts && error == EEXIST; ++attempt) {
    name_ = unused_name(folder);
    slot_ = add_to_list(name_);  // before the file exists
    if (create(name_.c_str())) return 0;
    error = errno;
    forget();
  }
  return error;
}

void TemporaryName::remove() {
  if (!empty()) ::unlink(name_.c_str());
  forget();
}

void TemporaryName::forget() {
  const int slot = std::exchange(slot_, -1);
  if (slot >= 0) std::free(names_in_use[static_cast<std::size_t>(slot)].exchange(nullptr));
  name_.clear();
}

void remove_temporaries() noexcept {
  for (const auto& name : names_in_use)
    if (const char* path = name.load()) ::unlink(path);
}

}  // namespace induce::detail
