// What a table is read from: a file, a pipe or a text in memory, decompressed, as UTF-8.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "file/text_encoding.hpp"

namespace induce::detail {

class ArrowStream;
class KeptStream;

// Something that can be read: a regular file or a text several times; a pipe or standard input once, unless it is kept.
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
  std::shared_ptr<KeptStream> kept{};     // what was read of a pipe

  std::string name() const { return name_of_file(path); }
};

// Whether it can be opened again: no pipe, device or standard input.
bool opens_again(const Source& source);

// gzip, bzip2 and xz are detected by their first bytes, not by the file name, and may have several members. Text is UTF-8
// with newlines (file/text_encoding.hpp). Throws a data Error.
std::unique_ptr<ByteStream> open_source(const Source& source);

// For a source that can be opened only once: what is read of it is kept for those who open it again. `twice`: only until the
// second time. Throws a data Error, also while it is read, if it does not fit in memory.
void keep_text(Source& source, bool twice = false);

}  // namespace induce::detail
