// Text in other encodings as UTF-8, and the line ends of old Macs (CR) as newlines.
//
// A byte order mark tells UTF-16, and so do zeros in every other of the first bytes. Latin-1 cannot be told from broken
// UTF-8, so it must be named; bytes 0x80 to 0x9f, which Latin-1 does not use, are those of Windows-1252.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "file/byte_stream.hpp"

namespace induce::detail {

// automatic: UTF-8, or UTF-16 if the first bytes say so.
enum class TextEncoding { automatic, utf8, latin1, utf16 };

// The stream itself if it is UTF-8 with newlines. `name`: of the file, in messages. Throws a data Error if UTF-16 is broken, or
// if it is named UTF-8.
std::unique_ptr<ByteStream> as_utf8(std::unique_ptr<ByteStream> from, TextEncoding encoding,
                                    const std::string& name);

// How many bytes at the beginning of a text are UTF-8.
std::size_t utf8_bytes(std::string_view text);

}  // namespace induce::detail
