// Streams that decompress another stream.
#pragma once

#include <memory>
#include <string>

#include "file/byte_stream.hpp"

namespace induce::detail {

// `name`: the file's, in messages. Throw a data Error if the data is corrupt or ends too early.
std::unique_ptr<ByteStream> gunzip(std::unique_ptr<ByteStream> from, std::string name);
std::unique_ptr<ByteStream> bunzip2(std::unique_ptr<ByteStream> from, std::string name);
std::unique_ptr<ByteStream> unxz(std::unique_ptr<ByteStream> from, std::string name);

}  // namespace induce::detail
