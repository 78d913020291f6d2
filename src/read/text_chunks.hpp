// The text of a file in chunks that end where a record ends, so that memory does not depend on the file's size.
//
// A chunk is the fewest whole records that have the wanted number of bytes. Without quotes a record is a line. With quotes
// its end is found by the CSV grammar, one record after the other: a newline may be part of a field.
//
// A range of a plain file begins and ends after a newline. If that newline is inside quotes, the last record of the range
// before it does not end with the range: the range is torn, and the file must be read as a whole. If no range is torn, all
// of them begin with a record: the first does, and each ends where the next begins.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "read/source.hpp"
#include "read/place.hpp"

namespace induce {

struct FileRange {
  static constexpr std::uint64_t end_of_file = std::numeric_limits<std::uint64_t>::max();
  std::uint32_t file = 0;
  std::uint64_t begin = 0, end = end_of_file;  // in bytes; other than these defaults only for plain files
};

struct TextChunk {
  std::string text;
  Place start;
  std::size_t newlines = 0;
  bool quoted = false;  // has quotes, in CSV text
};

class TextChunks {
 public:
  TextChunks(const Source& source, const FileRange& range);

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
  std::uint64_t newlines() const { return newlines_; }             // that were taken
  bool torn() const { return torn_; }

  static constexpr std::size_t longest_record = std::size_t{1} << 28;

 private:
  std::size_t end_of_chunk(char delimiter, std::size_t size, bool& quoted);
  std::size_t end_of_records(char delimiter, std::size_t size, std::size_t& scanned);

  std::unique_ptr<ByteStream> stream_;
  std::uint32_t file_;
  std::uint64_t left_;  // bytes of the range that were not read
  bool limited_;        // the range ends before the file
  std::string buffer_;
  std::size_t used_ = 0;  // bytes of the buffer that were taken
  bool ended_ = false, torn_ = false;
  std::uint64_t offset_, newlines_ = 0;
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

// Ranges of about equal size that begin and end after newlines; fewer than `count` if the file is small. Only for plain
// files that can be opened again.
std::vector<FileRange> split_file(const Source& source, std::uint32_t file, std::size_t count);

}  // namespace induce
