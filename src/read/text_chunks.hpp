// The text of a file in chunks that end where a record ends, so that memory does not depend on the file's size.
//
// A chunk is the fewest whole records that have the wanted number of bytes. Without quotes a record is a line. With quotes
// its end is found by the CSV grammar, one record after the other: a newline may be part of a field.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "read/source.hpp"
#include "read/place.hpp"

namespace induce::detail {

class ArrowBatch;

struct TextChunk {
  std::string text;
  std::shared_ptr<const ArrowBatch> batch{};  // in place of the text, which then has a newline for each row
  Place start;
  std::size_t newlines = 0;
  bool quoted = false;  // has quotes, in CSV text
};

class TextChunks {
 public:
  TextChunks(const Source& source, std::uint32_t file) : stream_(open_source(source)), file_(file) {}

  // What was read and not yet taken.
  std::string_view head() const { return std::string_view(buffer_).substr(used_); }
  bool ended() const { return ended_; }  // there is no more than the head
  void read_more();
  void skip(std::size_t bytes);  // of the head
  void skip_mark();              // a byte order mark, which does not count

  // Takes a chunk of at least `size` bytes, unless the text ends before. False: there is none. `delimiter`: of CSV text; 0
  // if quotes mean nothing. Throws a ParseFault if a record has more than longest_record bytes.
  bool take(char delimiter, std::size_t size, TextChunk& chunk);

  Place place() const { return {file_, offset_, newlines_ + 1}; }  // of the head

  static constexpr std::size_t longest_record = std::size_t{1} << 28;

 private:
  std::size_t end_of_chunk(char delimiter, std::size_t size, bool& quoted);
  std::size_t end_of_records(char delimiter, std::size_t size, std::size_t& scanned);

  std::unique_ptr<ByteStream> stream_;
  std::uint32_t file_;
  std::string buffer_;
  std::size_t used_ = 0;  // bytes of the buffer that were taken
  bool ended_ = false;
  std::uint64_t offset_ = 0, newlines_ = 0;
};

// Where places in a chunk are. Finds its newlines when first asked.
class ChunkPlaces {
 public:
  ChunkPlaces(std::string_view text, const Place& start) : text_(text), start_(start) {}
  Place operator()(const char* at);

 private:
  std::string_view text_;
  Place start_;
  bool indexed_ = false;
  std::vector<std::size_t> newlines_;
};

}  // namespace induce::detail
