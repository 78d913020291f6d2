// See table_text.hpp.
#include "read/table_text.hpp"

#include <algorithm>

#include "read/text_encoding.hpp"

namespace induce::detail {

void TableText::open_next() {
  const std::uint32_t file = next_++;
  if (plan_.files[file].arrow) return open_arrow(file);
  text_.emplace(plan_.files[file], file);
  text_->skip_mark();
  if (plan_.format == Format::libsvm) return;
  const auto is_blank = [&] { return text_->head().find_first_not_of(" \t\r\n") == std::string_view::npos; };
  while (is_blank() && !text_->ended()) text_->read_more();
  if (is_blank()) return;  // an empty file has no rows
  try {
    read_first_row(*text_, plan_.layout.delimiter);
    text_->skip(file == plan_.head_file
                    ? plan_.layout.body
                    : body_of(text_->head(), plan_.layout, plan_.files[plan_.head_file].name()));
  } catch (ParseFault& fault) {
    if (!fault.place)
      fault.place = fault.at ? ChunkPlaces(text_->head(), text_->place())(fault.at) : text_->place();
    fault.at = nullptr;
    throw;
  }
}

void TableText::open_arrow(std::uint32_t file) {
  arrow_ = open_arrow_table(plan_.files[file]);
  arrow_place_ = {file, 0, 1};
  const std::size_t columns = arrow_->columns().size();
  try {
    if (file != plan_.head_file)
      body_of(header_of(*arrow_, plan_.layout.delimiter), plan_.layout, plan_.files[plan_.head_file].name());
    if (columns != plan_.layout.columns())
      throw ParseFault{nullptr, "there are " + std::to_string(columns) + " columns, expected " +
                                    std::to_string(plan_.layout.columns())};
    for (std::size_t column = 0; column < columns; ++column)
      if (plan_.layout.target[column] != CsvLayout::ignored_column) arrow_->check_column(column);
  } catch (ParseFault& fault) {
    fault.at = nullptr;
    fault.place = arrow_place_;
    throw;
  }
}

bool TableText::take_batch(TextChunk& chunk) {
  while (!batch_ || taken_ == batch_->rows()) {
    batch_ = arrow_->next();
    taken_ = 0;
    if (!batch_) return false;
  }
  constexpr std::size_t least = 256;
  const std::size_t width = std::max<std::size_t>(1, plan_.width());
  const std::size_t rows =
      std::min(batch_->rows() - taken_, std::max(least, plan_.chunk_bytes / (sizeof(double) * width)));
  chunk.batch = std::make_shared<ArrowBatch>(batch_->part(taken_, rows));
  taken_ += rows;
  chunk.newlines = rows;
  chunk.text.assign(chunk.newlines, '\n');
  chunk.start = arrow_place_;
  arrow_place_.offset += chunk.newlines;
  arrow_place_.line += chunk.newlines;
  return true;
}

bool TableText::take(TextChunk& chunk) {
  for (;;) {
    if (!text_ && !arrow_) {
      if (next_ == plan_.files.size()) return false;
      open_next();
    }
    if (arrow_) {
      if (take_batch(chunk)) return true;
      arrow_.reset();
      continue;
    }
    chunk.batch.reset();
    const char delimiter = plan_.format == Format::csv ? plan_.layout.delimiter : '\0';
    if (text_->take(delimiter, plan_.chunk_bytes, chunk)) {
      try {
        check_utf8(chunk.text);
      } catch (ParseFault& fault) {
        fault.place = ChunkPlaces(chunk.text, chunk.start)(fault.at);
        fault.at = nullptr;
        throw;
      }
      return true;
    }
    text_.reset();
  }
}

}  // namespace induce::detail
