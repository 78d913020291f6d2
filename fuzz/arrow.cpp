// Arrow streams as other libraries hand them over: sizes and offsets of texts are right, as their format demands; formats, cells and
// numbers of levels are anything. The first byte: 1 to 32 rows, and 32 labels are optional. Then for each of up to four columns its
// format, whether cells may be missing, and its bytes.
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstring>
#include <memory>

#include "read/arrow_columns.hpp"
#include "support/table.hpp"

namespace {

using namespace induce;

constexpr std::array formats = {"c",   "C",   "s",     "S",     "i",       "I",  "l",   "L",   "e",
                                "f",   "g",   "b",     "u",     "U",       "n",  "tdD", "tdm", "tss",
                                "tsm", "tsu", "tsn:Z", "d:9,2", "d:38,-9", "vu", "+l"};

class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}
  bool empty() const { return size_ == 0; }
  std::uint8_t one() {
    if (size_ == 0) return 0;
    --size_;
    return *data_++;
  }
  // Zeros after the end.
  std::vector<char> many(std::size_t count) {
    std::vector<char> bytes(count);
    for (char& byte : bytes) byte = static_cast<char>(one());
    return bytes;
  }

 private:
  const std::uint8_t* data_;
  std::size_t size_;
};

struct Memory {
  std::vector<char> bits, cells, text;
};

template <class Offset>
void make_texts(Bytes& bytes, std::size_t rows, Memory& memory) {
  std::vector<Offset> offsets{0};
  for (std::size_t i = 0; i < rows; ++i) {
    const std::vector<char> cell = bytes.many(bytes.one() % 9);
    memory.text.insert(memory.text.end(), cell.begin(), cell.end());
    offsets.push_back(static_cast<Offset>(memory.text.size()));
  }
  memory.cells.resize(offsets.size() * sizeof(Offset));
  std::memcpy(memory.cells.data(), offsets.data(), memory.cells.size());
}

std::unique_ptr<ArrowCells> make_column(Bytes& bytes, std::size_t rows, bool may_have_levels) {
  const std::string format = formats[bytes.one() % formats.size()];
  const unsigned choice = bytes.one();
  auto memory = std::make_shared<Memory>();
  if (choice & 1) memory->bits = bytes.many((rows + 7) / 8);
  if (format == "u")
    make_texts<std::int32_t>(bytes, rows, *memory);
  else if (format == "U")
    make_texts<std::int64_t>(bytes, rows, *memory);
  else
    memory->cells = bytes.many(rows * 16);  // the widest
  if (format == "vu")                       // 12 bytes at most are in the cell itself
    for (std::size_t i = 0; i < rows; ++i) {
      const std::int32_t size = static_cast<std::uint8_t>(memory->cells[16 * i]) % 13;
      std::memcpy(&memory->cells[16 * i], &size, sizeof size);
    }
  std::unique_ptr<ArrowCells> levels;
  if (may_have_levels && choice & 2) {
    const std::size_t count = 1 + choice / 4 % 16;
    levels = make_column(bytes, count, false);
    // Numbers of levels are those that there are.
    const std::size_t width = std::string_view("cC").find(format[0]) != std::string_view::npos   ? 1
                              : std::string_view("sS").find(format[0]) != std::string_view::npos ? 2
                              : std::string_view("iI").find(format[0]) != std::string_view::npos ? 4
                              : format == "tdD"                                                  ? 4
                                                                                                 : 8;
    for (std::size_t at = 0; at + width <= memory->cells.size() && format[0] != 'u' && format[0] != 'U';
         at += width) {
      memory->cells[at] = static_cast<char>(static_cast<std::uint8_t>(memory->cells[at]) % count);
      std::fill_n(&memory->cells[at] + 1, width - 1, '\0');
    }
  }
  const char* bits = memory->bits.empty() ? nullptr : memory->bits.data();
  std::vector<const void*> buffers{bits, memory->cells.data()};
  if (!memory->text.empty() || format == "u" || format == "U") buffers.push_back(memory->text.data());
  if (format == "n") buffers.clear();
  return std::make_unique<ArrowCells>(format, rows, buffers, memory, std::move(levels));
}

// A file that is opened as the stream.
const std::string& file() {
  static const std::string path = [] {
    std::string name = "/tmp/fuzz_arrow_XXXXXX";
    const int descriptor = ::mkstemp(name.data());
    fuzz::require(descriptor >= 0 && ::write(descriptor, "PAR1 and more", 13) == 13, "there is a file");
    ::close(descriptor);
    return name;
  }();
  return path;
}

struct RemoveFile {
  ~RemoveFile() { std::remove(file().c_str()); }
} at_the_end;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  ReadOptions options;
  options.threads = 1;
  options.labels_required = !(data[0] & 32);
  open_arrow_files_with([&](const std::string&) {
    Bytes bytes(data + 1, size - 1);
    const std::size_t rows = 1 + data[0] % 32;
    std::vector<std::unique_ptr<ArrowCells>> columns;
    std::vector<std::string> names;
    while (columns.empty() || (columns.size() < 4 && !bytes.empty())) {
      names.push_back(columns.empty() ? "class" : std::string(1, static_cast<char>('a' + columns.size())));
      columns.push_back(make_column(bytes, rows, true));
    }
    return stream_of_columns(names, std::move(columns), rows);
  });
  options.label = "class";
  try {
    fuzz::check(read_dataset(file(), options), options);
  } catch (const Error&) {
  }
  return 0;
}
