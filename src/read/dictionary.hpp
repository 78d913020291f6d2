// The different texts of a column, numbered in order of appearance. An open hash table of views: a cell that was seen
// before costs one hash and one comparison, and nothing is allocated for it.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <memory_resource>
#include <string_view>
#include <vector>

#include "read/lines.hpp"
#include "read/number.hpp"

namespace induce::detail {

// Among numbers, a text is a NaN with its number in the dictionary of the column, and a missing value one without.
inline double cell_of_text(std::uint32_t number) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(missing_cell) | (std::uint64_t{number} + 1));
}
// Only for cells that are NaN. False: a missing value.
inline bool text_of_cell(double cell, std::uint32_t& number) {
  const auto payload = static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(cell));
  number = payload - 1;
  return payload != 0;
}

class Dictionary {
 public:
  struct Entry {
    std::string_view text;
    Place first;            // where the text first occurs; in a chunk, only its offset there is known
    std::size_t count = 0;  // its cells
    std::uint64_t hash = 0;
  };

  // Counts one cell of a chunk and returns the number of its text, which must outlive the dictionary.
  std::uint32_t add(std::string_view text, std::size_t offset) {
    const std::uint64_t hash = hash_of(text);
    const std::uint32_t number = find(text, hash);
    if (number == size()) insert({text, {0, offset}, 0, hash});
    ++entries_[number].count;
    return number;
  }
  // Counts all cells of an entry of another dictionary. A new text is copied.
  std::uint32_t add(const Entry& other) {
    const std::uint32_t number = find(other.text, other.hash);
    if (number == size()) insert({copy_of(other.text), other.first, 0, other.hash});
    entries_[number].count += other.count;
    return number;
  }
  // The number of a text, size() if it is new.
  std::uint32_t find(std::string_view text, std::uint64_t hash) const {
    if (slots_.empty()) return 0;
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t slot = hash & mask; slots_[slot] != 0; slot = (slot + 1) & mask) {
      const Entry& entry = entries_[slots_[slot] - 1];
      if (entry.hash == hash && entry.text == text) return slots_[slot] - 1;
    }
    return static_cast<std::uint32_t>(size());
  }

  const std::vector<Entry>& entries() const { return entries_; }
  std::vector<Entry>& entries() { return entries_; }
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
  void insert(const Entry& entry) {
    entries_.push_back(entry);
    if (2 * entries_.size() <= slots_.size()) return place(size() - 1);
    slots_.assign(std::max<std::size_t>(16, 2 * slots_.size()), 0);
    for (std::size_t i = 0; i < size(); ++i) place(i);
  }
  void place(std::size_t entry) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = entries_[entry].hash & mask;
    while (slots_[slot] != 0) slot = (slot + 1) & mask;
    slots_[slot] = static_cast<std::uint32_t>(entry + 1);
  }

  std::string_view copy_of(std::string_view text) {
    if (!copies_) copies_ = std::make_unique<std::pmr::monotonic_buffer_resource>();
    auto* copy = static_cast<char*>(copies_->allocate(text.size(), 1));
    text.copy(copy, text.size());
    return {copy, text.size()};
  }

  std::vector<Entry> entries_;
  std::vector<std::uint32_t> slots_;  // 0: free, otherwise the number of an entry plus 1
  std::unique_ptr<std::pmr::monotonic_buffer_resource> copies_;  // of texts
};

}  // namespace induce::detail
