// The different texts of a column of a table that is read in chunks. It owns the texts and knows their first places.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include "read/dictionary.hpp"
#include "read/place.hpp"

namespace induce::detail {

using PlacedTexts = BasicDictionary<Place>;

class TextCounts {
 public:
  // Counts an entry of a chunk's dictionary and returns the number of the text. `place_of`: of a pointer into the chunk.
  template <class PlaceOf>
  std::uint32_t add(const Dictionary::Entry& entry, PlaceOf& place_of) {
    return add_entry(entry, place_of);
  }

  // The same for an entry with its place.
  std::uint32_t add(const PlacedTexts::Entry& entry) {
    const auto place_of = [](const Place& place) { return place; };
    return add_entry(entry, place_of);
  }

  const PlacedTexts& texts() const { return texts_; }
  const std::vector<PlacedTexts::Entry>& entries() const { return texts_.entries(); }
  std::size_t size() const { return texts_.size(); }

 private:
  template <class Entry, class PlaceOf>
  std::uint32_t add_entry(const Entry& entry, PlaceOf& place_of) {
    const std::uint32_t number = texts_.find(entry.text, entry.hash);
    if (number == texts_.size())
      return texts_.add({copy_of(entry.text), place_of(entry.first), entry.count, entry.hash});
    texts_.count_more(number, entry.count);
    return number;
  }

  std::string_view copy_of(std::string_view text) {
    constexpr std::size_t block = std::size_t{1} << 16;
    if (text.empty()) return {};
    if (text.size() > left_) {
      left_ = std::max(block, text.size());
      blocks_.push_back(std::make_unique_for_overwrite<char[]>(left_));
      next_ = blocks_.back().get();
    }
    std::memcpy(next_, text.data(), text.size());
    const std::string_view copy(next_, text.size());
    next_ += text.size();
    left_ -= text.size();
    return copy;
  }

  PlacedTexts texts_;
  std::vector<std::unique_ptr<char[]>> blocks_;
  char* next_ = nullptr;
  std::size_t left_ = 0;
};

}  // namespace induce::detail
