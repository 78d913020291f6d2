// Text in other encodings as UTF-8, and the line ends of old Macs (CR) as newlines.
//
// A byte order mark tells UTF-16, and so do zeros in every other of the first bytes. Latin-1 cannot be told from broken
// UTF-8, so it must be named; bytes 0x80 to 0x9f, which Latin-1 does not use, are those of Windows-1252.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "read/source.hpp"

namespace induce::detail {

// The stream itself if it is UTF-8 with newlines. `name`: of the file, in messages. Throws a data Error if UTF-16 is broken.
std::unique_ptr<ByteStream> as_utf8(std::unique_ptr<ByteStream> from, TextEncoding encoding,
                                    const std::string& name);

// Throws a ParseFault at the first byte that is not UTF-8.
void check_utf8(std::string_view text);

}  // namespace induce::detail
