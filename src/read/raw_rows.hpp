// Rows of numbers while a table is read, before it is known what its columns are: in memory or in a file (spill_file.hpp).
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace induce::detail {

class RawRows {
 public:
  virtual ~RawRows() = default;

  // Forgets all rows; from now on a row has `width` numbers.
  void restart(std::size_t width) {
    rows_ = 0;
    width_ = width;
    clear();
  }
  void append(const double* rows, std::size_t count) {
    write(rows, count);
    rows_ += count;
  }
  // Rows [first, first + count), row-major. Any number of threads may read once all rows are appended.
  virtual void read(std::size_t first, std::size_t count, double* to) = 0;
  // Where the row is, if it is in memory; `count` becomes the number of rows there, if that is less. Otherwise nullptr.
  virtual const double* find(std::size_t /*row*/, std::size_t& /*count*/) const { return nullptr; }
  // Rows before this one are not needed any more.
  virtual void release(std::size_t /*before*/) {}

  std::size_t rows() const { return rows_; }
  std::size_t width() const { return width_; }

 protected:
  virtual void clear() = 0;
  virtual void write(const double* rows, std::size_t count) = 0;

 private:
  std::size_t rows_ = 0, width_ = 0;
};

// In memory. Appending throws a ParseFault if it gets scarce.
class RowsInMemory : public RawRows {
 public:
  void read(std::size_t first, std::size_t count, double* to) override;
  const double* find(std::size_t row, std::size_t& count) const override;
  void release(std::size_t before) override;

 protected:
  void clear() override { blocks_.clear(); }
  void write(const double* rows, std::size_t count) override;

 private:
  std::size_t block_rows() const;
  std::vector<std::unique_ptr<double[]>> blocks_;
};

}  // namespace induce::detail
