// Plain and compressed files, pipes, standard input, and unreadable files. The compressed files are made with
// the same three libraries.
#include <cstring>
#include <thread>

#include <bzlib.h>
#include <fcntl.h>
#include <lzma.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "read/source.hpp"
#include "temporary.hpp"

namespace induce::test {
namespace {

class Files : public TemporaryFiles {};

std::string gzip(const std::string& text) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string out(text.size() + 1000, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string bzip2(std::string text) {
  std::string out(text.size() + text.size() / 50 + 1000, '\0');
  auto size = static_cast<unsigned>(out.size());
  EXPECT_EQ(
      BZ2_bzBuffToBuffCompress(out.data(), &size, text.data(), static_cast<unsigned>(text.size()), 9, 0, 0),
      BZ_OK);
  out.resize(size);
  return out;
}

std::string xz(const std::string& text) {
  std::string out(lzma_stream_buffer_bound(text.size()), '\0');
  std::size_t size = 0;
  EXPECT_EQ(lzma_easy_buffer_encode(0, LZMA_CHECK_CRC64, nullptr,
                                    reinterpret_cast<const std::uint8_t*>(text.data()), text.size(),
                                    reinterpret_cast<std::uint8_t*>(out.data()), &size, out.size()),
            LZMA_OK);
  out.resize(size);
  return out;
}

struct Codec {
  const char* name;
  std::string (*compress)(const std::string&);
};

std::string all_bytes(const std::string& path) {
  return read_until(*open_source(path), [](std::string_view) { return false; });
}

const Codec codecs[] = {
    {"gzip", gzip}, {"bzip2", [](const std::string& text) { return bzip2(text); }}, {"xz", xz}};

// Larger than the decompressors' window, and not too regular.
const std::string& long_text() {
  static std::string text;
  if (!text.empty()) return text;
  for (int i = 0; i < 200000; ++i)
    text += std::to_string(i * 7919 % 100003) + "," + std::to_string(i % 2) + "\n";
  return text;
}

TEST_F(Files, DetectsCompressionByContentNotName) {
  const std::string& text = long_text();
  for (const Codec& codec : codecs) {
    const std::string packed = codec.compress(text);
    EXPECT_EQ(all_bytes(write("table.csv", packed)), text) << codec.name;
    EXPECT_EQ(read_dataset(path("table.csv")).X.rows(), 200000) << codec.name;
  }
  EXPECT_EQ(all_bytes(write("table.csv.gz", "1,0\n2,1\n")), "1,0\n2,1\n");
}

TEST_F(Files, SeveralMembersAndPadding) {
  for (const Codec& codec : codecs) {
    const std::string packed = codec.compress("1,0\n2,") + codec.compress("") + codec.compress("1\n3,0\n");
    EXPECT_EQ(all_bytes(write("table", packed)), "1,0\n2,1\n3,0\n") << codec.name;
    EXPECT_EQ(all_bytes(write("table", packed + std::string(8, '\0'))), "1,0\n2,1\n3,0\n") << codec.name;
  }
}

TEST_F(Files, OutputOfExactlyOneWindow) {
  const std::string text(std::size_t{1} << 20, 'x');
  for (const Codec& codec : codecs)
    EXPECT_EQ(all_bytes(write("table", codec.compress(text))), text) << codec.name;
}

TEST_F(Files, RejectsTruncationAtEveryLength) {
  const std::string text = "1,0\n2,1\n3,1\n";
  for (const Codec& codec : codecs) {
    const std::string packed = codec.compress(text);
    for (std::size_t length = 6; length < packed.size(); ++length)
      expect_refused(std::string_view(packed).substr(0, length), {codec.name, "truncated"});
    const std::string large = codec.compress(long_text());
    expect_refused(std::string_view(large).substr(0, large.size() / 2), {codec.name, "truncated"});
  }
}

TEST_F(Files, RejectsCorruptData) {
  for (const Codec& codec : codecs) {
    std::string packed = codec.compress(long_text());
    std::memset(packed.data() + packed.size() / 2, 0x55, 20);
    expect_refused(packed, {codec.name, "corrupt"});
    expect_refused(codec.compress("1,0\n2,1\n") + "trailing garbage", {codec.name});
  }
}

TEST_F(Files, EmptyInsideACompressedFile) {
  for (const Codec& codec : codecs) expect_refused(codec.compress(""), {"is empty"});
}

TEST_F(Files, RejectsOtherArchivesByName) {
  expect_refused(std::string_view("PK\x03\x04zip", 7), {"zip or zstd"});
  expect_refused(std::string_view("\x28\xb5\x2f\xfdzstd", 8), {"zip or zstd"});
}

TEST_F(Files, MissingFileDirectoryAndUnreadableFile) {
  expect_file_refused(path("nothing.csv"), {"nothing.csv", std::strerror(ENOENT)});
  std::filesystem::create_directory(path("folder"));
  expect_file_refused(path("folder"), {"folder", "is a folder"});
  if (::geteuid() != 0) {
    ::chmod(write("secret", "1,0\n").c_str(), 0);
    expect_file_refused(path("secret"), {"secret", std::strerror(EACCES)});
  }
}

TEST_F(Files, Pipe) {
  const std::string& text = long_text();
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  for (const std::string& content : {text, xz(text)}) {
    std::jthread writer([&] { std::ofstream(path("pipe"), std::ios::binary) << content; });
    EXPECT_EQ(all_bytes(path("pipe")), text);
  }
}

TEST_F(Files, StandardInput) {
  const std::string file = write("table", "1,0\n2,1\n");
  const int saved = ::dup(STDIN_FILENO);
  const int opened = ::open(file.c_str(), O_RDONLY);
  ASSERT_GE(::dup2(opened, STDIN_FILENO), 0);
  EXPECT_EQ(read_dataset("-").X.rows(), 2);
  expect_file_refused("-", {"standard input", "is empty"});  // already read to the end
  ::lseek(STDIN_FILENO, 0, SEEK_SET);
  EXPECT_EQ(read_dataset("/dev/stdin").X.rows(), 2);
  if (saved >= 0) ::dup2(saved, STDIN_FILENO);
  ::close(saved);
  ::close(opened);
}

TEST_F(Files, ErrorsNameTheFile) {
  expect_refused("1,2,0\n3,inf,1\n", {path("table") + "', line 2: column 2"});
}

}  // namespace
}  // namespace induce::test
