// See text_chunks.hpp.
#include "read/text_chunks.hpp"

#include <algorithm>

#include "read/csv_fields.hpp"
#include "read/lines.hpp"

namespace induce::detail {
namespace {

constexpr std::size_t least_read = std::size_t{1} << 18;

}  // namespace

void TextChunks::read_more() {
  if (ended_) return;
  buffer_.erase(0, used_);
  used_ = 0;
  const std::size_t before = buffer_.size();
  buffer_.resize(before + std::max(least_read, before / 2));
  const std::size_t got = stream_->read(buffer_.data() + before, buffer_.size() - before);
  buffer_.resize(before + got);
  ended_ = got == 0;
}

void TextChunks::skip(std::size_t bytes) {
  newlines_ += count_newlines(head().substr(0, bytes));
  used_ += bytes;
  offset_ += bytes;
}

void TextChunks::skip_mark() {
  constexpr std::string_view mark = "\xef\xbb\xbf";
  while (head().size() < mark.size() && !ended_) read_more();
  if (head().starts_with(mark)) used_ += mark.size();
}

bool TextChunks::take(char delimiter, std::size_t size, TextChunk& chunk) {
  const std::size_t length = end_of_chunk(delimiter, std::max<std::size_t>(size, 1), chunk.quoted);
  if (length == 0) return false;
  chunk.start = place();
  chunk.text.assign(buffer_, used_, length);
  const std::uint64_t before = newlines_;
  skip(length);
  chunk.newlines = static_cast<std::size_t>(newlines_ - before);
  return true;
}

std::size_t TextChunks::end_of_chunk(char delimiter, std::size_t size, bool& quoted) {
  std::size_t scanned = 0;
  for (;; read_more()) {
    const std::string_view text = head();
    if (text.size() < size && !ended_) continue;
    if (scanned == 0) {
      const std::size_t newline = text.size() < size ? std::string_view::npos : text.find('\n', size - 1);
      const std::size_t end = newline == std::string_view::npos ? text.size() : newline + 1;
      quoted = delimiter != 0 && text.substr(0, end).find('"') != std::string_view::npos;
      if (!quoted && (newline != std::string_view::npos || ended_)) return end;
      if (!quoted) {
        if (text.size() > longest_record) break;
        continue;
      }
    }
    if (const std::size_t end = end_of_records(delimiter, size, scanned); end > 0) return end;
    if (text.size() - scanned > longest_record) break;
  }
  throw ParseFault{nullptr,
                   "a row has more than " + std::to_string(longest_record >> 20) +
                       " MiB; is there a quote that is never closed?",
                   Fault::data, ChunkPlaces(head(), place())(head().data() + scanned)};
}

// 0 if the head has too few whole records; `scanned` is then the length of those it has.
std::size_t TextChunks::end_of_records(char delimiter, std::size_t size, std::size_t& scanned) {
  const std::string_view text = head();
  while (scanned < text.size()) {
    std::string_view rest = text.substr(scanned);
    const std::size_t length = take_record(rest, delimiter, true).size();
    const std::size_t end = text.size() - rest.size();
    const bool whole = end > scanned + length;  // a newline follows
    if (!whole && !ended_) return 0;
    scanned = end;
    if (scanned >= size) return scanned;
  }
  return ended_ ? scanned : 0;
}

Place ChunkPlaces::operator()(const char* at) {
  if (!indexed_) {
    for (std::size_t next = text_.find('\n'); next != std::string_view::npos;
         next = text_.find('\n', next + 1))
      newlines_.push_back(next);
    indexed_ = true;
  }
  const auto offset = static_cast<std::size_t>(at - text_.data());
  const auto before = std::lower_bound(newlines_.begin(), newlines_.end(), offset) - newlines_.begin();
  return {start_.file, start_.offset + offset, start_.line + static_cast<std::uint64_t>(before)};
}

}  // namespace induce::detail
