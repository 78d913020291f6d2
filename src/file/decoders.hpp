// Streams that decompress another stream.
#pragma once

#include <memory>
#include <string>

#include "file/byte_stream.hpp"

namespace induce::detail {

// gzip, bzip2 and xz are detected by their first bytes and may have several members; any other stream stays as it is. `name`:
// the file's, in messages. The stream throws a data Error if the data is corrupt or ends too early.
std::unique_ptr<ByteStream> decompressed(std::unique_ptr<ByteStream> from, const std::string& name);

}  // namespace induce::detail
