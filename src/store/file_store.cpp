#include "store/file_store.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "store/merge.hpp"
#include "store/row_order.hpp"

namespace induce::detail {
namespace {

constexpr Index bucket_count = 1024;
constexpr std::size_t bucket_bytes = std::size_t{32} << 10;  // of rows that wait to be written

class NumbersInFile final : public RowNumbers {
 public:
  NumbersInFile(const std::string& folder, Index rows, Index width)
      : RowNumbers(width), file_(folder, sizeof(double) * static_cast<std::uint64_t>(rows * width)) {}
  const double* read(Index first, Index rows, double* buffer) const override {
    file_.read(at(first), buffer, bytes(rows));
    return buffer;
  }
  void write(Index first, Index rows, const double* numbers) override {
    file_.write(at(first), numbers, bytes(rows));
  }

 private:
  std::uint64_t at(Index row) const { return sizeof(double) * static_cast<std::uint64_t>(row * width()); }
  std::size_t bytes(Index rows) const { return sizeof(double) * static_cast<std::size_t>(rows * width()); }
  ScratchFile file_;
};

}  // namespace

FileStore::FileStore(Index columns, std::vector<Index> column_order, std::string folder, std::size_t expected)
    : RowStore(columns),
      column_order_(std::move(column_order)),
      folder_(std::move(folder)),
      raw_(std::make_unique<ScratchFile>(folder_, 2 * sizeof(double) * expected * width())),
      buckets_(static_cast<std::size_t>(bucket_count)) {}

void FileStore::add(const double* x, Index rows, const int* labels, const double* weights) {
  for (Index i = 0; i < rows; ++i, x += columns_) {
    const std::uint64_t hash = hash_of_row(x, static_cast<std::size_t>(columns_), column_order_, labels[i]);
    const double weight = weights ? weights[i] : 1;
    facts_.include(x, columns_, labels[i], weight, hash);
    Bucket& bucket = buckets_[static_cast<std::size_t>(leaf_of_hash(hash, bucket_count))];
    if (bucket.pending.empty()) bucket.pending.reserve(bucket_bytes / sizeof(double) + width());
    for (Index f = 0; f < columns_; ++f) bucket.pending.push_back(x[f] + 0.0);  // -0 becomes 0
    bucket.pending.push_back(labels[i]);
    bucket.pending.push_back(weight);
    ++bucket.rows;
    if (bucket.pending.size() * sizeof(double) >= bucket_bytes) flush(bucket);
  }
}

void FileStore::flush(Bucket& bucket) {
  const std::size_t bytes = bucket.pending.size() * sizeof(double);
  raw_->write(raw_end_, bucket.pending.data(), bytes);
  bucket.pieces.push_back({raw_end_, bucket.pending.size() / width()});
  raw_end_ += bytes;
  bucket.pending.clear();
}

FileStore::Sorted FileStore::sorted(const Bucket& bucket, Index leaves, Index first_leaf, Index count) const {
  std::vector<double> rows(bucket.rows * width());
  double* to = rows.data();
  for (const Piece& piece : bucket.pieces) {
    raw_->read(piece.at, to, piece.rows * width() * sizeof(double));
    to += piece.rows * width();
  }
  std::copy(bucket.pending.begin(), bucket.pending.end(), to);

  const std::size_t d = static_cast<std::size_t>(columns_);
  const auto row_at = [&](std::uint32_t row) { return rows.data() + row * width(); };
  const auto label_of = [&](std::uint32_t row) { return static_cast<int>(row_at(row)[d]); };
  std::vector<RowKey> keys;
  for (std::uint32_t row = 0; row < bucket.rows; ++row)
    keys.push_back({hash_of_row(row_at(row), d, column_order_, label_of(row)), row});
  Sorted out;
  out.leaf_rows.assign(static_cast<std::size_t>(count), 0);
  merge_rows(
      keys,
      [&](std::uint32_t a, std::uint32_t b) {
        return compare_rows(row_at(a), label_of(a), row_at(b), label_of(b), d);
      },
      [&](std::uint32_t row) { return row_at(row)[d + 1]; },
      [&](const RowKey& key, double weight, bool is_copy) {
        if (is_copy) {
          out.weight.back() += weight;
          ++out.copies.back();
          return;
        }
        const double* x = row_at(key.row);
        out.x.insert(out.x.end(), x, x + d);
        out.label.push_back(x[d]);
        out.weight.push_back(weight);
        out.copies.push_back(1);
        ++out.leaf_rows[static_cast<std::size_t>(leaf_of_hash(key.hash, leaves) - first_leaf)];
      });
  return out;
}

void FileStore::finish(Workers& workers) {
  const Index leaves = leaves_by_hash(facts_.rows, columns_);
  x_ = std::make_unique<ScratchFile>(folder_);
  label_ = std::make_unique<ScratchFile>(folder_);
  weight_ = std::make_unique<ScratchFile>(folder_);
  copies_ = std::make_unique<ScratchFile>(folder_);
  leaves_ = {.total = leaves, .first = 0, .begin = {0}};
  // A bucket has several leaves, or a leaf several buckets, which come one after the other.
  const Index leaves_of_bucket = std::max<Index>(1, leaves / bucket_count),
              buckets_of_leaf = std::max<Index>(1, bucket_count / leaves);
  std::uint64_t n = 0;
  Index in_leaf = 0;
  const Index together = workers.size();
  std::vector<Sorted> done(static_cast<std::size_t>(together));
  for (Index first = 0; first < bucket_count; first += together) {
    const Index count = std::min(together, bucket_count - first);
    workers.run(count, [&](Index k, int /*worker*/) {
      Bucket& bucket = buckets_[static_cast<std::size_t>(first + k)];
      done[static_cast<std::size_t>(k)] =
          sorted(bucket, leaves, (first + k) * leaves / bucket_count, leaves_of_bucket);
      bucket = {};
    });
    for (Index k = 0; k < count; ++k) {
      const Sorted& rows = done[static_cast<std::size_t>(k)];
      const auto write = [](ScratchFile& file, std::uint64_t at, const std::vector<double>& numbers) {
        file.write(at * sizeof(double), numbers.data(), numbers.size() * sizeof(double));
      };
      write(*x_, n * static_cast<std::uint64_t>(columns_), rows.x);
      write(*label_, n, rows.label);
      write(*weight_, n, rows.weight);
      write(*copies_, n, rows.copies);
      n += rows.label.size();
      for (const Index more : rows.leaf_rows) {
        in_leaf += more;
        if ((first + k + 1) % buckets_of_leaf != 0) continue;
        leaves_.begin.push_back(leaves_.begin.back() + std::exchange(in_leaf, 0));
      }
    }
  }
  raw_.reset();
  buckets_.clear();
}

void FileStore::read(Index first, Index rows, const Cells& to) const {
  const auto at = static_cast<std::uint64_t>(first);
  const auto count = static_cast<std::size_t>(rows), d = static_cast<std::size_t>(columns_);
  if (to.x) {
    x_->read(at * d * sizeof(double), to.x, count * d * sizeof(double));
    x_->expect((at + count) * d * sizeof(double), count * d * sizeof(double));
  }
  const auto read = [&](const ScratchFile& from, double* numbers) {
    if (numbers) from.read(at * sizeof(double), numbers, count * sizeof(double));
  };
  read(*label_, to.label);
  read(*weight_, to.weight);
  read(*copies_, to.copies);
}

std::unique_ptr<RowNumbers> FileStore::room(Index rows, Index width) const {
  return std::make_unique<NumbersInFile>(folder_, rows, width);
}

}  // namespace induce::detail
