// The different texts of a column, numbered in order of appearance. An open hash table of views: a cell that was seen
// before costs one hash and one comparison, and nothing is allocated for it. `At` says where a text first occurs: a pointer
// into the text of a chunk (Dictionary) or a Place in the files (place.hpp).
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace induce::detail {

template <class At>
class BasicDictionary {
 public:
  struct Entry {
    std::string_view text;
    At first;               // where the text first occurs
    std::size_t count = 0;  // its occurrences
    std::uint64_t hash = 0;
  };

  // Counts one occurrence and returns the number of the text. `text` must outlive the dictionary.
  std::uint32_t add(std::string_view text, const At& at) { return add(text, at, hash_of(text), 1); }
  // Counts all occurrences of an entry of another dictionary.
  std::uint32_t add(const Entry& other) { return add(other.text, other.first, other.hash, other.count); }
  // The number of a text, size() if it is new.
  std::uint32_t find(std::string_view text, std::uint64_t hash) const {
    if (slots_.empty()) return static_cast<std::uint32_t>(size());
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t slot = hash & mask; slots_[slot] != 0; slot = (slot + 1) & mask) {
      const Entry& entry = entries_[slots_[slot] - 1];
      if (entry.hash == hash && entry.text == text) return slots_[slot] - 1;
    }
    return static_cast<std::uint32_t>(size());
  }
  void count_more(std::uint32_t number, std::size_t count) { entries_[number].count += count; }

  const std::vector<Entry>& entries() const { return entries_; }
  std::size_t size() const { return entries_.size(); }
  bool empty() const { return entries_.empty(); }

  static std::uint64_t hash_of(std::string_view text) {
    constexpr std::uint64_t factor = 0x9e3779b97f4a7c15;  // 2^64 / golden ratio
    std::uint64_t hash = text.size() * factor, word = 0;
    const auto mix = [&] {
      hash = (hash ^ word) * factor;
      hash ^= hash >> 29;
    };
    const char* p = text.data();
    std::size_t left = text.size();
    for (; left >= sizeof word; p += sizeof word, left -= sizeof word) {
      std::memcpy(&word, p, sizeof word);
      mix();
    }
    if (left > 0) {
      word = 0;
      std::memcpy(&word, p, left);
      mix();
    }
    return hash;
  }

 private:
  std::uint32_t add(std::string_view text, const At& at, std::uint64_t hash, std::size_t count) {
    if (2 * (entries_.size() + 1) > slots_.size()) grow();
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t slot = hash & mask;; slot = (slot + 1) & mask) {
      if (slots_[slot] == 0) {
        entries_.push_back({text, at, count, hash});
        return (slots_[slot] = static_cast<std::uint32_t>(entries_.size())) - 1;
      }
      Entry& entry = entries_[slots_[slot] - 1];
      if (entry.hash == hash && entry.text == text) {
        entry.count += count;
        return slots_[slot] - 1;
      }
    }
  }

  void grow() {
    slots_.assign(slots_.empty() ? 16 : 2 * slots_.size(), 0);
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      std::size_t slot = entries_[i].hash & mask;
      while (slots_[slot] != 0) slot = (slot + 1) & mask;
      slots_[slot] = static_cast<std::uint32_t>(i + 1);
    }
  }

  std::vector<Entry> entries_;
  std::vector<std::uint32_t> slots_;  // 0: free, otherwise the number of an entry plus 1
};

using Dictionary = BasicDictionary<const char*>;  // of a text that is in memory as a whole

}  // namespace induce::detail
