// Columns in the layout of Apache Arrow, through its C stream interface: plain structs, so no library is needed here.
// https://arrow.apache.org/docs/format/CStreamInterface.html
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "read/schema.hpp"
#include "read/source.hpp"

// As the interface defines them; another library may have done so before.
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE
struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  std::int64_t flags;
  std::int64_t n_children;
  ArrowSchema** children;
  ArrowSchema* dictionary;
  void (*release)(ArrowSchema*);
  void* private_data;
};
struct ArrowArray {
  std::int64_t length;
  std::int64_t null_count;
  std::int64_t offset;
  std::int64_t n_buffers;
  std::int64_t n_children;
  const void** buffers;
  ArrowArray** children;
  ArrowArray* dictionary;
  void (*release)(ArrowArray*);
  void* private_data;
};
#endif
#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE
struct ArrowArrayStream {
  int (*get_schema)(ArrowArrayStream*, ArrowSchema* out);
  int (*get_next)(ArrowArrayStream*, ArrowArray* out);
  const char* (*get_last_error)(ArrowArrayStream*);
  void (*release)(ArrowArrayStream*);
  void* private_data;
};
#endif

namespace induce::detail {

// How the cells of a column are stored and read. What a type does not have is nullptr; all cells of a type without any are
// missing.
struct ArrowType {
  Storage storage = Storage::text;
  std::int64_t (*whole)(const ArrowArray&, std::int64_t at) = nullptr;  // of whole numbers and dates
  double (*number)(const ArrowArray&, std::int64_t at) = nullptr;       // without the scale
  std::string_view (*text)(const ArrowArray&, std::int64_t at, std::string& room) = nullptr;
  std::int64_t units = 0;               // of a date: in a day
  int scale = 0;                        // of a decimal
  std::shared_ptr<ArrowType> levels{};  // of a dictionary; the cells are their numbers
};

struct ArrowColumn {
  std::string name;
  ArrowType type{};
  std::string why_not{};  // it cannot be read; nobody minds if it is not needed
};

// A batch of rows. Cells are asked for by column and row; those of a dictionary are the cells of their level.
class ArrowBatch {
 public:
  ArrowBatch(std::shared_ptr<const std::vector<ArrowColumn>> columns, ArrowArray& array);  // takes the array

  const std::vector<ArrowColumn>& columns() const { return *columns_; }
  std::size_t rows() const { return rows_; }
  // Some of its rows, which are not copied.
  ArrowBatch part(std::size_t first, std::size_t rows) const;
  // The number in a column of numbers, or days since 1970 in one of dates. NaN: missing.
  double number(std::size_t column, std::size_t row) const;
  // As a file of text would have it; empty: missing. Texts are views of the batch, others are written to `room`.
  std::string_view text(std::size_t column, std::size_t row, std::string& room) const;

 private:
  struct Cell {
    const ArrowType& type;
    const ArrowArray& array;
    std::int64_t at;
  };
  std::optional<Cell> find(std::size_t column, std::size_t row) const;  // none: missing

  std::shared_ptr<const std::vector<ArrowColumn>> columns_;
  std::shared_ptr<ArrowArray> array_;
  std::size_t first_ = 0, rows_;
};

class ArrowStream {
 public:
  // Takes the stream. `name`: in messages; empty: it has none. Throws a data Error.
  ArrowStream(ArrowArrayStream stream, std::string name);
  ~ArrowStream() { stream_.release(&stream_); }
  ArrowStream(const ArrowStream&) = delete;
  ArrowStream& operator=(const ArrowStream&) = delete;

  const std::vector<ArrowColumn>& columns() const { return *columns_; }
  std::vector<std::string> names() const;  // of the columns
  // Throws a data Error that names the column and its type if it cannot be read.
  void check_column(std::size_t column) const;
  std::optional<ArrowBatch> next();  // none: the end

 private:
  [[noreturn]] void fail(const std::string& why) const;
  void check(int status);

  ArrowArrayStream stream_;
  std::string name_;
  std::shared_ptr<std::vector<ArrowColumn>> columns_ = std::make_shared<std::vector<ArrowColumn>>();
};

// Who opens Parquet, Feather and Arrow files; nobody by default.
using ArrowOpener = std::function<ArrowArrayStream(const std::string& path)>;
void open_arrow_files_with(ArrowOpener opener);

// Whether it is such a file, by its first bytes, and there is an opener.
bool is_arrow_file(const std::string& path);
std::shared_ptr<ArrowStream> open_arrow_table(const Source& source);

}  // namespace induce::detail
