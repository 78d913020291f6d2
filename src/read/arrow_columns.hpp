// Columns in memory as an Arrow stream (arrow.hpp) of one batch. Nothing is copied.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "read/arrow.hpp"

namespace induce::detail {

// A column with its type, and what keeps its memory.
class ArrowCells {
 public:
  // `buffers`: those of the format, bits of the cells that are not missing first; nullptr: all are there. `levels`: of a
  // dictionary.
  ArrowCells(std::string format, std::size_t rows, std::vector<const void*> buffers,
             std::shared_ptr<const void> owner, std::unique_ptr<ArrowCells> levels = {});
  ArrowCells(ArrowSchema& schema, ArrowArray& array);  // takes both
  ~ArrowCells();
  ArrowCells(const ArrowCells&) = delete;
  ArrowCells& operator=(const ArrowCells&) = delete;

  ArrowSchema schema{};
  ArrowArray array{};

 private:
  std::string format_;
  std::vector<const void*> buffers_;
  std::shared_ptr<const void> owner_;
  std::unique_ptr<ArrowCells> levels_;
};

// All columns have as many rows.
ArrowArrayStream stream_of_columns(std::vector<std::string> names,
                                   std::vector<std::unique_ptr<ArrowCells>> columns, std::size_t rows);

}  // namespace induce::detail
