// See chunk.hpp.
#include "read/chunk.hpp"

#include <algorithm>
#include <cmath>
#include <future>
#include <utility>

#include "read/arrow.hpp"
#include "machine/workers.hpp"

namespace induce::detail {
namespace {

// The chunks of a table, from one file after the other, without the headers.
class TableChunks {
 public:
  explicit TableChunks(const ReadPlan& plan) : plan_(plan) {}

  // False: there is no more. Throws a ParseFault with its place, or an Error.
  bool take(Chunk& chunk) {
    for (;; ++next_) {
      if (next_ == plan_.files.size()) return false;
      if (!text_ && !arrow_) open();
      if (arrow_ ? take_batch(chunk) : take_text(chunk)) return true;
      text_.reset();
      arrow_.reset();
    }
  }

 private:
  void open() {
    if (plan_.files[next_].arrow) return open_arrow();
    text_.emplace(plan_.files[next_], next_);
    if (plan_.format == Format::libsvm) return;
    while (is_blank_text(text_->head()) && !text_->ended()) text_->read_more();
    if (is_blank_text(text_->head())) return;  // an empty file has no rows
    try {
      text_->read_first_row(plan_.layout.delimiter);
      text_->skip(next_ == plan_.head_file ? plan_.layout.body
                                           : body_of(text_->head(), plan_.layout, first_name()));
    } catch (const ParseFault& fault) {
      throw placed(fault, text_->head(), text_->place());
    }
  }

  void open_arrow() {
    arrow_ = open_arrow_table(plan_.files[next_]);
    place_ = {next_, 0, 1};
    const std::vector<std::string> names = arrow_->names();
    try {
      if (!plan_.layout.header.empty()) check_header(names, plan_.layout, first_name());
      if (names.size() != plan_.layout.columns())
        refuse("there are " + std::to_string(names.size()) + " columns, expected " +
               std::to_string(plan_.layout.columns()));
      for (std::size_t column = 0; column < names.size(); ++column)
        if (const int use = plan_.layout.target[column];
            use != CsvLayout::ignored_column && use != CsvLayout::dropped_column)
          arrow_->check_column(column);
    } catch (const ParseFault& fault) {
      throw placed(fault, "", place_);
    }
  }

  std::string first_name() const { return plan_.files[plan_.head_file].name(); }

  // Some rows of a batch.
  bool take_batch(Chunk& chunk) {
    while (!batch_ || taken_ == batch_->rows()) {
      batch_ = arrow_->next();
      taken_ = 0;
      if (!batch_) return false;
    }
    constexpr std::size_t least = 256;
    const std::size_t bytes = sizeof(double) * std::max<std::size_t>(1, plan_.width());
    chunk.newlines = std::min(batch_->rows() - taken_, std::max(least, plan_.chunk_bytes / bytes));
    chunk.batch = std::make_shared<ArrowBatch>(batch_->part(taken_, chunk.newlines));
    taken_ += chunk.newlines;
    chunk.text.assign(chunk.newlines, '\n');
    chunk.start = place_;
    place_.offset += chunk.newlines;
    place_.line += chunk.newlines;
    return true;
  }

  bool take_text(Chunk& chunk) {
    chunk.batch.reset();
    const char delimiter = plan_.format == Format::csv ? plan_.layout.delimiter : '\0';
    if (!text_->take(delimiter, plan_.chunk_bytes, chunk)) return false;
    try {
      check_utf8(chunk.text);
    } catch (const ParseFault& fault) {
      throw placed(fault, chunk.text, chunk.start);
    }
    return true;
  }

  const ReadPlan& plan_;
  std::uint32_t next_ = 0;  // file
  std::optional<TextChunks> text_;
  std::shared_ptr<ArrowStream> arrow_;  // in place of text_
  std::optional<ArrowBatch> batch_;     // of which the first rows were taken
  std::size_t taken_ = 0;
  Place place_;  // in it
};

// Chunks that are parsed together.
struct Batch {
  explicit Batch(int workers) : chunks(2 * static_cast<std::size_t>(workers)) {}

  std::vector<Chunk> chunks;
  std::size_t count = 0;
  std::optional<ParseFault> fault;  // of the text after them

  void read(TableChunks& from) {
    count = 0;
    try {
      while (count < chunks.size() && from.take(chunks[count])) ++count;
    } catch (const ParseFault& found) {
      fault = found;
    }
  }
};

// The places of texts that are new in the chunk, in order.
void set_places(Dictionary& texts, std::size_t first, const Chunk& chunk) {
  std::size_t at = 0;
  std::uint64_t line = chunk.start.line;
  for (std::size_t k = first; k < texts.size(); ++k) {
    Place& place = texts.entries()[k].first;
    line += count_of('\n', std::string_view(chunk.text).substr(at, place.offset - at));
    at = place.offset;
    place = {chunk.start.file, chunk.start.offset + at, line};
  }
}

void renumber(const ReadPlan& plan, Chunk& chunk, std::size_t column,
              const std::vector<std::uint32_t>& number) {
  const std::size_t width = plan.width();
  double* cell = chunk.rows.data() + column;
  std::uint32_t text = 0;
  for (std::size_t i = 0; i < chunk.seen.rows; ++i, cell += width)
    if (std::isnan(*cell) && text_of_cell(*cell, text)) *cell = cell_of_text(number[text]);
}

void add_labels(const ReadPlan& plan, Chunk& chunk, SeenTable& table) {
  constexpr std::size_t most_labels = 1'000'000;  // that are kept; no table of classes has as many
  constexpr std::uint32_t not_kept = 0xfffffff0;
  Dictionary& labels = table.labels;
  const std::size_t before = labels.size();
  std::vector<std::uint32_t> number;
  for (const Dictionary::Entry& entry : chunk.seen.labels.entries()) {
    const bool kept = labels.size() < most_labels || labels.contains(entry);
    number.push_back(kept ? labels.add(entry) : not_kept);
    table.more_labels = table.more_labels || !kept;
  }
  set_places(labels, before, chunk);
  if (before > 0 && !number.empty()) renumber(plan, chunk, plan.layout.features, number);
}

// Does a column of many texts look like an id, by all of its cells so far?
bool is_id(const ReadPlan& plan, const SeenTable& seen, std::size_t f) {
  try {
    return find_column(seen.features[f], plan.setting(f, seen.rows), plan.is_settled(f)).use ==
           FoundColumn::Use::id;
  } catch (const ParseFault&) {
    return false;
  }
}

}  // namespace

TextChunks::TextChunks(const Source& source, std::uint32_t file) : stream_(open_source(source)), file_(file) {
  constexpr std::string_view mark = "\xef\xbb\xbf";
  while (head().size() < mark.size() && !ended_) read_more();
  if (head().starts_with(mark)) used_ += mark.size();
}

void TextChunks::read_more() {
  constexpr std::size_t least_read = std::size_t{1} << 18;
  if (ended_) return;
  buffer_.erase(0, used_);
  used_ = 0;
  const std::size_t before = buffer_.size();
  buffer_.resize(before + std::max(least_read, before / 2));
  const std::size_t got = stream_->read(buffer_.data() + before, buffer_.size() - before);
  buffer_.resize(before + got);
  ended_ = got == 0;
}

void TextChunks::skip(std::size_t bytes) {
  newlines_ += count_of('\n', head().substr(0, bytes));
  used_ += bytes;
  offset_ += bytes;
}

void TextChunks::read_first_row(char delimiter) {
  while (!find_first_row(head(), delimiter, ended_).whole) read_more();
}

bool TextChunks::take(char delimiter, std::size_t size, Chunk& chunk) {
  const std::size_t length = end_of_chunk(delimiter, std::max<std::size_t>(size, 1), chunk.quoted);
  if (length == 0) return false;
  chunk.start = place();
  chunk.text.assign(buffer_, used_, length);
  const std::uint64_t before = newlines_;
  skip(length);
  chunk.newlines = static_cast<std::size_t>(newlines_ - before);
  return true;
}

std::size_t TextChunks::end_of_chunk(char delimiter, std::size_t size, bool& quoted) {
  std::size_t scanned = 0;
  for (;; read_more()) {
    const std::string_view text = head();
    if (text.size() < size && !ended_) continue;
    if (scanned == 0) {
      const std::size_t newline = text.size() < size ? std::string_view::npos : text.find('\n', size - 1);
      const std::size_t end = newline == std::string_view::npos ? text.size() : newline + 1;
      quoted = delimiter != 0 && text.substr(0, end).find('"') != std::string_view::npos;
      if (!quoted && (newline != std::string_view::npos || ended_)) return end;
      if (!quoted) {
        if (text.size() > longest_record) break;
        continue;
      }
    }
    if (const std::size_t end = end_of_records(delimiter, size, scanned); end > 0) return end;
    if (text.size() - scanned > longest_record) break;
  }
  refuse("a row has more than " + std::to_string(longest_record >> 20) +
             " MiB; is there a quote that is never closed?",
         Fault::data, place_in(head(), place(), scanned));
}

// 0 if the head has too few whole records; `scanned` is then the length of those it has.
std::size_t TextChunks::end_of_records(char delimiter, std::size_t size, std::size_t& scanned) const {
  const std::string_view text = head();
  while (scanned < text.size()) {
    std::string_view rest = text.substr(scanned);
    const std::size_t length = take_record(rest, delimiter, true).size();
    const std::size_t end = text.size() - rest.size();
    const bool whole = end > scanned + length;  // a newline follows
    if (!whole && !ended_) return 0;
    scanned = end;
    if (scanned >= size) return scanned;
  }
  return ended_ ? scanned : 0;
}

bool SeenTable::add(const ReadPlan& plan, Chunk& chunk) {
  SeenTable& part = chunk.seen;
  rows += part.rows;
  features.resize(plan.layout.features);
  for (std::size_t f = 0; f < features.size(); ++f) {
    SeenColumn& column = features[f];
    const std::size_t before = column.texts.size();
    const std::vector<std::uint32_t> number = column.add(part.features[f]);
    set_places(column.texts, before, chunk);
    if (before > 0 && !number.empty()) renumber(plan, chunk, f, number);
    const auto doublings = [](std::size_t texts) { return std::bit_width(texts / (most_texts + 1)); };
    if (doublings(column.texts.size()) > doublings(before) && is_id(plan, *this, f)) column.forget_texts();
    if (!plan.storage.empty()) column.storage = plan.storage[f];
    stopped = stopped || (!plan.is_settled(f) && needs_texts(plan.rules[f], column));
  }
  add_labels(plan, chunk, *this);
  for (std::string& id : part.ids) ids.push_back(std::move(id));
  fault = part.fault;
  add_pairs(part);
  return !fault && !stopped;
}

void SeenTable::add_pairs(const SeenTable& part) {
  pairs += part.pairs;
  largest_index = std::max(largest_index, part.largest_index);
  fewest_features = std::min(fewest_features, part.fewest_features);
  if (!labelled) labelled = part.labelled;
  if (!unlabelled) unlabelled = part.unlabelled;
}

void parse_chunk(const ReadPlan& plan, Chunk& chunk) {
  chunk.seen = {};
  chunk.seen.features.resize(plan.layout.features);
  chunk.copies.clear();
  const std::size_t room = (chunk.newlines + 1) * plan.width();
  if (chunk.rows.size() < room) chunk.rows.resize(room);
  try {
    if (chunk.batch)
      parse_batch(plan, chunk);
    else
      plan.format == Format::csv ? parse_csv(plan, chunk) : parse_libsvm(plan, chunk);
  } catch (const ParseFault& fault) {
    chunk.seen.fault = placed(fault, chunk.text, chunk.start);
  }
}

void for_each_chunk(const ReadPlan& plan, const std::function<bool(Chunk&)>& use) {
  TableChunks table(plan);
  Workers workers(plan.options.threads);
  Batch batches[2]{Batch(workers.size()), Batch(workers.size())};
  Batch *now = &batches[0], *next = &batches[1];
  for (now->read(table);; std::swap(now, next)) {
    std::future<void> reading;
    const bool last = now->count < now->chunks.size();
    if (!last) reading = std::async(std::launch::async, [&, next] { next->read(table); });
    workers.run(static_cast<Index>(now->count), [&](Index k, int /*worker*/) {
      parse_chunk(plan, now->chunks[static_cast<std::size_t>(k)]);
    });
    for (std::size_t k = 0; k < now->count; ++k)
      if (!use(now->chunks[k])) return;
    if (now->fault) throw *now->fault;
    if (last) return;
    reading.get();
  }
}

}  // namespace induce::detail
