// See table_text.hpp.
#include "read/table_text.hpp"

#include "read/text_encoding.hpp"

namespace induce {

void TableText::open_next() {
  const std::uint32_t file = next_++;
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

bool TableText::take(TextChunk& chunk) {
  for (;;) {
    if (!text_) {
      if (next_ == plan_.files.size()) return false;
      open_next();
    }
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

}  // namespace induce
