// A store of rows in scratch files, for tables that do not fit in memory.
//
// Rows arrive in any order and are written to one of 1,024 buckets by the first bits of their hash. At the end each
// bucket is read, its rows are sorted and merged, and they are appended to the files of the result: two writes and one read of
// all rows. Memory holds the buffers of the buckets, a few leaves, and nothing else that grows with the rows.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "file/scratch_file.hpp"
#include "machine/workers.hpp"
#include "store/row_store.hpp"

namespace induce::detail {

class FileStore final : public RowStore {
 public:
  // `column_order`: in which columns are hashed. `expected`: rows, 0 if unknown.
  FileStore(Index columns, std::vector<Index> column_order, std::string folder, std::size_t expected);

  // Labels are indices of classes.
  void add(const double* x, Index rows, const int* labels, const double* weights);
  // Orders the rows. To be called once, before the functions below.
  void finish(Workers& workers);

  void read(Index first, Index rows, const Cells& to) const override;
  std::unique_ptr<RowNumbers> room(Index rows, Index width) const override;
  bool in_memory() const override { return false; }

 private:
  struct Piece {  // of a bucket, in the file
    std::uint64_t at;
    std::size_t rows;
  };
  struct Bucket {
    std::vector<double> pending;
    std::vector<Piece> pieces;
    std::size_t rows = 0;
  };
  struct Sorted {  // rows of a bucket
    std::vector<double> x, label, weight, copies;
    std::vector<Index> leaf_rows;  // of each of its leaves
  };
  std::size_t width() const { return static_cast<std::size_t>(columns_) + 2; }  // cells, label, weight
  void flush(Bucket& bucket);
  Sorted sorted(const Bucket& bucket, Index leaves, Index first_leaf, Index count) const;

  std::vector<Index> column_order_;
  std::string folder_;
  std::unique_ptr<ScratchFile> raw_;
  std::uint64_t raw_end_ = 0;
  std::vector<Bucket> buckets_;
  std::unique_ptr<ScratchFile> x_, label_, weight_, copies_;
};

}  // namespace induce::detail
