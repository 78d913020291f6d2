// What a table is read from: a file, a pipe or a text in memory, decompressed, as UTF-8.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "file/byte_stream.hpp"

namespace induce::detail {

// automatic: UTF-8, or UTF-16 if the first bytes say so (text_encoding.hpp).
enum class TextEncoding { automatic, utf8, latin1, utf16 };

class ArrowStream;
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
  bool arrow = false;                     // not text: see arrow.hpp
  std::shared_ptr<ArrowStream> stream{};  // of a table that is no file; it is read once
  std::shared_ptr<OnceStream> once{};

  std::string name() const { return name_of_file(path); }
};

// Whether it can be opened again: no pipe, device or standard input.
bool opens_again(const Source& source);

// gzip, bzip2 and xz are detected by their first bytes, not by the file name, and may have several members. Text is UTF-8
// with newlines (text_encoding.hpp). Throws a data Error.
std::unique_ptr<ByteStream> open_source(const Source& source);

// If the source can be opened only once: it can be opened again after its beginning was read, which is kept until then.
void read_twice(Source& source);

// All of it. Throws a data Error if it does not fit in memory.
std::string all_bytes(const Source& source);

}  // namespace induce::detail
