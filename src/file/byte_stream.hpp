// Bytes, one piece after the other: of a file, a pipe, or decoded from another stream.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace induce::detail {

class ByteStream {
 public:
  virtual ~ByteStream() = default;
  // Writes up to `most` > 0 bytes and returns how many; 0: the end. Throws a data Error that names the file.
  virtual std::size_t read(char* to, std::size_t most) = 0;
};

// The file's name in messages: "standard input" for "-", otherwise the path in quotes.
std::string name_of_file(const std::string& path);

// The stored bytes of a file, or of standard input for "-". A file that changes while it is read is
// an error at its end. Throws a data Error.
std::unique_ptr<ByteStream> open_file(const std::string& path);

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

}  // namespace induce::detail
