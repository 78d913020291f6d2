// See final_rows.hpp.
#include "read/final_rows.hpp"

#include <algorithm>
#include <cmath>

#include "read/csv_cells.hpp"

namespace induce::detail {
namespace {

// All numbers of raw rows are finite, so that the sum is 0 without NaN.
bool has_no_nan(const double* row, std::size_t count) {
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (std::size_t k = 0; k < count; ++k) sum += 0 * row[k];
  return sum == 0;
}

}  // namespace

FinalRows::FinalRows(const TableShape& shape, RawRows& raw, bool release)
    : shape_(shape), raw_(raw), release_(release), keeps_all_(shape.features() == shape.raw_features) {
  gaps_.missing.assign(shape.features(), 0);
}

void FinalRows::rewind() {
  next_ = in_buffer_ = used_ = 0;
  gaps_ = {};
  gaps_.missing.assign(shape_.features(), 0);
}

std::size_t FinalRows::next(std::size_t most, double* x, int* y, double* weight, std::size_t* number) {
  constexpr std::size_t buffer_bytes = std::size_t{1} << 20;
  const std::size_t width = raw_.width(),
                    together = std::max<std::size_t>(1, buffer_bytes / (sizeof(double) * width));
  std::size_t count = 0;
  while (count < most) {
    if (used_ == in_buffer_) {
      if (release_) raw_.release(next_);
      in_buffer_ = std::min(together, raw_.rows() - next_);
      used_ = 0;
      if (in_buffer_ == 0) break;
      rows_ = raw_.find(next_, in_buffer_);
      if (!rows_) {
        buffer_.resize(together * width);
        raw_.read(next_, in_buffer_, buffer_.data());
        rows_ = buffer_.data();
      }
      next_ += in_buffer_;
    }
    const double* row = rows_ + used_++ * width;
    if (shape_.labelled) {
      std::uint32_t label = 0;
      text_of_cell(row[shape_.raw_features], label);
      const int of_class = shape_.class_of[label];
      if (of_class < 0) continue;
      if (y) *y++ = of_class;
    }
    if (number) *number++ = next_ - in_buffer_ + used_ - 1;
    if (shape_.weighted && weight) *weight++ = row[width - 1];
    if (keeps_all_ && has_no_nan(row, shape_.raw_features))
      std::copy_n(row, shape_.raw_features, x);
    else
      convert(row, x);
    x += shape_.features();
    ++count;
  }
  return count;
}

void FinalRows::convert(const double* row, double* x) {
  bool gap = false;
  for (std::size_t k = 0; k < shape_.kept.size(); ++k) {
    x[k] = row[shape_.kept[k]];
    if (!std::isnan(x[k])) continue;
    std::uint32_t text = 0;
    if (text_of_cell(x[k], text)) x[k] = shape_.values[shape_.kept[k]][text];
    if (!std::isnan(x[k])) continue;
    gap = true;
    ++gaps_.missing[k];
  }
  gaps_.rows += gap ? 1 : 0;
}

void add_gaps(const Gaps& gaps, std::vector<ColumnSummary>& columns, std::size_t& rows_with_gaps) {
  rows_with_gaps += gaps.rows;
  for (ColumnSummary& column : columns)
    if (column.feature) column.missing += gaps.missing[*column.feature];
}

}  // namespace induce::detail
