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
    std::uint32_t& slot = slot_of(text, hash);
    if (slot == 0) slot = insert({text, {0, offset}, 0, hash});
    ++entries_[slot - 1].count;
    return slot - 1;
  }
  // Counts all cells of an entry of another dictionary. A new text is copied.
  std::uint32_t add(const Entry& other) {
    std::uint32_t& slot = slot_of(other.text, other.hash);
    if (slot == 0) slot = insert({copy_of(other.text), other.first, 0, other.hash});
    entries_[slot - 1].count += other.count;
    return slot - 1;
  }
  bool contains(const Entry& other) { return slot_of(other.text, other.hash) != 0; }

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
  // That of a text, free if the text is new. There is room for one more.
  std::uint32_t& slot_of(std::string_view text, std::uint64_t hash) {
    if (2 * (size() + 1) > slots_.size()) grow();
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = hash & mask;
    for (; slots_[slot] != 0; slot = (slot + 1) & mask) {
      const Entry& entry = entries_[slots_[slot] - 1];
      if (entry.hash == hash && entry.text == text) break;
    }
    return slots_[slot];
  }
  std::uint32_t insert(const Entry& entry) {
    entries_.push_back(entry);
    return static_cast<std::uint32_t>(size());
  }
  void grow() {
    slots_.assign(std::max<std::size_t>(16, 2 * slots_.size()), 0);
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t i = 0; i < size(); ++i) {
      std::size_t slot = entries_[i].hash & mask;
      while (slots_[slot] != 0) slot = (slot + 1) & mask;
      slots_[slot] = static_cast<std::uint32_t>(i + 1);
    }
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
