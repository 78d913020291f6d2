// The bytes of a file, a pipe or a text in memory, one piece after the other, decompressed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace induce {

class ByteStream {
 public:
  virtual ~ByteStream() = default;
  // Writes up to `most` > 0 bytes and returns how many; 0: the end. Throws a data Error that names the file.
  virtual std::size_t read(char* to, std::size_t most) = 0;
};

// The file's name in messages: "standard input" for "-", otherwise the path in quotes.
std::string name_of_file(const std::string& path);

// automatic: UTF-8, or UTF-16 if the first bytes say so (text_encoding.hpp).
enum class TextEncoding { automatic, utf8, latin1, utf16 };

class OnceStream;

// Something that can be read: a regular file or a text several times; a pipe or standard input once, or, after read_twice(),
// twice.
struct Source {
  Source(std::string file) : path(std::move(file)) {}  // NOLINT: a path is a source
  Source(const char* file) : path(file) {}             // NOLINT
  Source(std::string name, std::string_view in_memory) : path(std::move(name)), text(in_memory), held(true) {}

  std::string path;       // "-": standard input
  std::string_view text;  // in place of the file's bytes, if `held`
  bool held = false;
  TextEncoding encoding = TextEncoding::automatic;
  std::shared_ptr<OnceStream> once{};

  std::string name() const { return name_of_file(path); }
};

// What is known of a source before it is read.
struct SourceFacts {
  bool again = true;        // it can be opened again: no pipe, device or standard input
  bool plain = true;        // not compressed, UTF-8 and without CR line ends, as far as the first bytes tell
  std::uint64_t bytes = 0;  // as stored; 0 if unknown
};
SourceFacts facts_of(const Source& source);

// From byte `begin` of the stored bytes on, which must be 0 unless the source is plain and can be opened again. gzip,
// bzip2 and xz are detected by their first bytes, not by the file name, and may have several members. Text is UTF-8 with
// newlines (text_encoding.hpp). A file that
// changes while it is read is an error at its end. Throws a data Error.
std::unique_ptr<ByteStream> open_source(const Source& source, std::uint64_t begin = 0);

// If the source can be opened only once: it can be opened again after its beginning was read, which is kept until then.
void read_twice(Source& source);

// Reads until `enough` is true of what was read, or to the end.
template <class Enough>
std::string read_until(ByteStream& stream, Enough enough) {
  constexpr std::size_t window = std::size_t{1} << 16;
  std::string text;
  while (!enough(std::string_view(text))) {
    const std::size_t before = text.size();
    text.resize(before + window);
    const std::size_t got = stream.read(text.data() + before, window);
    text.resize(before + got);
    if (got == 0) break;
  }
  return text;
}
// A text, and then the stream.
std::unique_ptr<ByteStream> after(std::string first, std::unique_ptr<ByteStream> rest);

// All of it. Throws a data Error if it does not fit in memory.
std::string all_bytes(const Source& source);

}  // namespace induce
