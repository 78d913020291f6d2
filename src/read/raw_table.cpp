// See raw_table.hpp.
#include "read/raw_table.hpp"

#include <algorithm>
#include <cmath>

#include "machine/memory.hpp"

namespace induce::detail {
namespace {

// All numbers of raw rows are finite, so that the sum is 0 without NaN.
bool has_no_nan(const double* row, std::size_t count) {
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (std::size_t k = 0; k < count; ++k) sum += 0 * row[k];
  return sum == 0;
}

// Throws a ParseFault if there is not enough memory for so many bytes in all, of which `more` are not taken yet.
void require_memory(double all, double more, const std::string& what) {
  const double available = available_memory().least();
  if (more > available)
    refuse(what + " needs " + memory_text(all) + " of memory, only " + memory_text(available) + " available");
}

}  // namespace

void RawRows::restart(std::size_t width) {
  rows_ = 0;
  width_ = width;
  blocks_.clear();
  if (file_) file_->clear();
}

std::size_t RawRows::block_rows() const {
  constexpr std::size_t bytes = std::size_t{4} << 20;
  return std::max<std::size_t>(1, bytes / (sizeof(double) * std::max<std::size_t>(1, width_)));
}

void RawRows::add_block() {
  if (file_ && !blocks_.empty()) {
    file_->write((blocks_.size() - 1) * block_bytes(), blocks_.back().get(), block_bytes());
    blocks_.push_back(std::move(blocks_.back()));
    return;
  }
  const auto more = static_cast<double>(block_bytes());
  require_memory(static_cast<double>(blocks_.size() + 1) * more, more,
                 "a dense table of more than " + std::to_string(rows_) + " rows");
  blocks_.push_back(std::make_unique_for_overwrite<double[]>(block_rows() * width_));
}

void RawRows::append(const double* rows, std::size_t count) {
  const std::size_t size = block_rows();
  while (count > 0) {
    const std::size_t at = rows_ % size, part = std::min(count, size - at);
    if (at == 0) add_block();
    std::copy_n(rows, part * width_, blocks_.back().get() + at * width_);
    rows += part * width_;
    rows_ += part;
    count -= part;
  }
}

const double* RawRows::read(std::size_t first, std::size_t& count) {
  const std::size_t size = block_rows(), block = first / size, at = first % size;
  count = std::min(count, size - at);
  if (blocks_[block]) return blocks_[block].get() + at * width_;
  const std::size_t bytes = count * width_ * sizeof(double);
  const std::uint64_t offset = first * width_ * sizeof(double);
  buffer_.resize(count * width_);
  file_->expect(offset + bytes, bytes);
  file_->read(offset, buffer_.data(), bytes);
  return buffer_.data();
}

void RawRows::release(std::size_t before) {
  for (std::size_t block = 0; block < std::min(before / block_rows(), blocks_.size()); ++block)
    blocks_[block].reset();
}

RawTable::RawTable(ReadPlan plan, RawRows rows) : rows_(std::move(rows)) {
  for (bool known = false; !known;) {
    SeenTable seen;
    rows_.restart(plan.width());
    try {
      for_each_chunk(plan, [&](Chunk& chunk) {
        const bool more = seen.add(plan, chunk);
        append(chunk);
        return more;
      });
    } catch (const ParseFault& fault) {
      seen.fault = fault;
    }
    std::optional<TableShape> found = find_shape(plan, seen);
    known = found.has_value();
    if (found) shape = *std::move(found);
    ids = std::move(seen.ids);
  }
  rewind();
}

RawTable::RawTable(TableShape found, Chunk& chunk, std::size_t width, std::vector<std::string> all_ids)
    : shape(std::move(found)), ids(std::move(all_ids)) {
  rows_.restart(width);
  append(chunk);
  rewind();
}

void RawTable::append(Chunk& chunk) {
  rows_.append(chunk.rows.data(), chunk.seen.rows);
  if (chunk.entries.n() == 0) return;
  const auto more = static_cast<double>(sizeof(double) * chunk.entries.value.size());
  require_memory(more * static_cast<double>(entries_.size() + 1), more,
                 "LIBSVM text of more than " + std::to_string(rows_.rows()) + " rows");
  entries_.push_back(std::move(chunk.entries));
}

void RawTable::rewind() {
  next_ = loaded_ = rows_with_gaps_ = part_ = 0;
  part_end_ = entries_.empty() ? 0 : entries_[0].n();
  gaps_.assign(shape.found.empty() ? 0 : shape.features, 0);
}

std::size_t RawTable::next(std::size_t most, double* x, int* y, double* weight, std::size_t* number,
                           double* successes, double* trials) {
  const std::size_t together = 1 + (std::size_t{1} << 20) / (sizeof(double) * (rows_.width() + 1));
  std::size_t count = 0;
  while (count < most && next_ < rows_.rows()) {
    if (next_ == loaded_) {
      if (release_) rows_.release(next_);
      std::size_t more = std::min(rows_.rows() - next_, together);
      row_ = rows_.read(next_, more);
      loaded_ += more;
    }
    const double* row = row_;
    row_ += rows_.width();
    const std::size_t i = next_++;
    if (shape.labelled) {
      std::uint32_t label = 0;
      text_of_cell(row[shape.found.size()], label);
      if (shape.class_of[label] < 0) continue;
      if (y) *y++ = shape.class_of[label];
      if (!shape.successes.empty() && successes) *successes++ = shape.successes[label];
      if (shape.with_trials && trials) *trials++ = row[shape.found.size() + 1];
    }
    if (number) *number++ = i;
    if (shape.weighted && weight) *weight++ = row[rows_.width() - 1];
    shape.found.empty() ? write_entries(x) : write_features(row, x);
    x += shape.sparse ? 0 : shape.features;
    ++count;
  }
  return count;
}

void RawTable::write_entries(double* x) {
  while (next_ > part_end_) {
    if (release_) entries_[part_] = {};
    part_end_ += entries_[++part_].n();
  }
  SparseRows& part = entries_[part_];
  part.d = shape.features;
  const std::size_t row = next_ - 1 - (part_end_ - part.n());
  sparse_ ? sparse_->add_row(part.view(), row) : write_dense(part.view(), row, 1, x);
}

void RawTable::write_features(const double* row, double* x) {
  if (shape.features == shape.found.size() && has_no_nan(row, shape.features)) {
    std::copy_n(row, shape.features, x);
    return;
  }
  bool gap = false;
  for (std::size_t k = 0; k < shape.features; ++k) {
    x[k] = row[shape.kept[k]];
    if (!std::isnan(x[k])) continue;
    std::uint32_t text = 0;
    if (text_of_cell(x[k], text)) x[k] = shape.found[shape.kept[k]].values[text];
    if (!std::isnan(x[k])) continue;
    gap = true;
    ++gaps_[k];
  }
  rows_with_gaps_ += gap ? 1 : 0;
}

Dataset RawTable::description() {
  shape.data.rows_with_gaps = rows_with_gaps_;
  for (ColumnSummary& column : shape.data.columns)
    if (column.feature) column.missing += gaps_[*column.feature];
  return std::move(shape.data);
}

Dataset RawTable::all_rows() {
  release_ = true;
  RowMatrix X;
  if (shape.sparse) {
    sparse_.emplace().d = shape.features;
    sparse_->column.reserve(shape.pairs);
    sparse_->value.reserve(shape.pairs);
  } else {
    const double bytes =
        static_cast<double>(shape.rows) * static_cast<double>(shape.features) * sizeof(double);
    require_memory(bytes, bytes,
                   "a dense table of " + std::to_string(shape.rows) + " rows and " +
                       std::to_string(shape.features) + " features");
    X.resize(static_cast<Index>(shape.rows), static_cast<Index>(shape.features));
  }
  std::vector<int> y(shape.labelled ? shape.rows : 0);
  std::vector<double> weights(shape.weighted ? shape.rows : 0);
  std::vector<double> successes(shape.successes.empty() ? 0 : shape.rows),
      trials(shape.with_trials ? shape.rows : 0);
  std::vector<std::size_t> number(ids.empty() ? 0 : shape.rows);
  next(shape.rows, X.data(), y.data(), weights.data(), number.empty() ? nullptr : number.data(),
       successes.data(), trials.data());
  Dataset data = description();
  data.sparse = std::move(sparse_);
  data.X = std::move(X);
  data.y = std::move(y);
  data.weights = std::move(weights);
  data.successes = std::move(successes);
  data.trials = std::move(trials);
  if (!ids.empty())
    for (const std::size_t row : number) data.ids.push_back(std::move(ids[row]));
  return data;
}

Dataset read_table(const ReadPlan& plan) {
  try {
    return RawTable(plan, RawRows()).all_rows();
  } catch (const ParseFault& fault) {
    plan.report(fault);
  }
}

}  // namespace induce::detail
