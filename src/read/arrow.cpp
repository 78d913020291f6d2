// See arrow.hpp.
#include "read/arrow.hpp"

#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <utility>

#include <induce/error.hpp>

#include "read/csv_cells.hpp"
#include "read/labels.hpp"

namespace induce::detail {
namespace {

using Cells = ArrowType::Cells;

constexpr std::int64_t day_seconds = 86'400;

std::optional<ArrowType> plain_type(std::string_view format) {
  constexpr std::string_view whole = "cCsSiIlL";
  if (format.size() == 1) {
    const char letter = format[0];
    if (const auto at = whole.find(letter); at != std::string_view::npos)
      return ArrowType{static_cast<Cells>(static_cast<int>(Cells::int8) + static_cast<int>(at)),
                       Storage::number};
    if (letter == 'n') return ArrowType{};
    if (letter == 'b') return ArrowType{Cells::bits, Storage::boolean};
    if (letter == 'e') return ArrowType{Cells::half, Storage::number};
    if (letter == 'f') return ArrowType{Cells::single, Storage::number};
    if (letter == 'g') return ArrowType{Cells::twice, Storage::number};
    if (letter == 'u') return ArrowType{Cells::text};
    if (letter == 'U') return ArrowType{Cells::large_text};
  }
  if (format == "vu") return ArrowType{Cells::text_view};
  if (format == "tdD") return ArrowType{Cells::int32, Storage::date, 1};
  if (format == "tdm") return ArrowType{Cells::int64, Storage::date, day_seconds * 1000};
  if (format.starts_with("ts") && format.size() > 2) {
    const std::size_t power = std::string_view("smun").find(format[2]);
    if (power == std::string_view::npos) return std::nullopt;
    std::int64_t units = day_seconds;
    for (std::size_t k = 0; k < power; ++k) units *= 1000;
    return ArrowType{Cells::int64, Storage::date, units};
  }
  if (format.starts_with("d:")) {  // precision, scale, and bits if they are not 128
    int precision = 0, scale = 0;
    const char* end = format.data() + format.size();
    const auto first = std::from_chars(format.data() + 2, end, precision);
    if (first.ptr == end) return std::nullopt;
    const auto second = std::from_chars(first.ptr + 1, end, scale);
    if (second.ptr == end) return ArrowType{Cells::decimal, Storage::number, 0, scale};
  }
  return std::nullopt;
}

std::string name_of_type(std::string_view format) {
  for (const auto& [start, name] : {std::pair{"+l", "list"},
                                    {"+L", "list"},
                                    {"+w", "list"},
                                    {"+s", "struct"},
                                    {"+m", "map"},
                                    {"+u", "union"},
                                    {"tt", "time"},
                                    {"tD", "duration"},
                                    {"ti", "interval"},
                                    {"z", "binary"},
                                    {"Z", "binary"},
                                    {"vz", "binary"},
                                    {"w", "binary"},
                                    {"d", "decimal of more than 128 bits"}})
    if (format.starts_with(start)) return name;
  return "'" + std::string(format) + "'";
}

ArrowColumn column_of(const ArrowSchema& schema) {
  ArrowColumn column{schema.name ? schema.name : "", {}};
  const auto refused = [&](std::string_view format) {
    column.why_not =
        "has the type " + name_of_type(format) + ": must be numbers, texts, categories, booleans or dates";
    return column;
  };
  const std::optional<ArrowType> type = plain_type(schema.format);
  if (!type || (schema.dictionary && !type->is_whole())) return refused(schema.format);
  column.type = *type;
  if (!schema.dictionary) return column;
  const std::optional<ArrowType> levels = plain_type(schema.dictionary->format);
  if (!levels || schema.dictionary->dictionary) return refused(schema.dictionary->format);
  column.type.storage = Storage::category;
  column.type.levels = std::make_shared<ArrowType>(*levels);
  return column;
}

bool bit_at(const void* bits, std::int64_t at) {
  return (static_cast<const std::uint8_t*>(bits)[at / 8] >> (at % 8) & 1) != 0;
}
bool has_cell(const ArrowArray& array, std::int64_t at) {
  return array.n_buffers > 0 && (!array.buffers[0] || bit_at(array.buffers[0], at));
}

template <class Number>
Number stored(const ArrowArray& array, std::int64_t at, int buffer = 1) {
  Number value;
  std::memcpy(&value, static_cast<const char*>(array.buffers[buffer]) + at * std::int64_t{sizeof value},
              sizeof value);
  return value;
}

double half_number(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  const double size = exponent == 0    ? std::ldexp(fraction, -24)
                      : exponent == 31 ? (fraction ? missing_cell : std::numeric_limits<double>::infinity())
                                       : std::ldexp(1024 + fraction, exponent - 25);
  return bits >> 15 ? -size : size;
}

std::int64_t whole_number(const ArrowType& type, const ArrowArray& array, std::int64_t at) {
  switch (type.cells) {
    case Cells::int8:
      return stored<std::int8_t>(array, at);
    case Cells::uint8:
      return stored<std::uint8_t>(array, at);
    case Cells::int16:
      return stored<std::int16_t>(array, at);
    case Cells::uint16:
      return stored<std::uint16_t>(array, at);
    case Cells::int32:
      return stored<std::int32_t>(array, at);
    case Cells::uint32:
      return stored<std::uint32_t>(array, at);
    default:
      return stored<std::int64_t>(array, at);
  }
}

// Microseconds and the whole days among them; finer units are cut off.
struct Moment {
  Moment(std::int64_t value, std::int64_t units) {
    days = value / units - (value % units < 0 ? 1 : 0);
    const std::int64_t rest = value - days * units, day = day_seconds * 1'000'000;
    microseconds = units > day ? rest / (units / day) : rest * (day / units);
  }
  std::int64_t days, microseconds;
};

double number_at(const ArrowType& type, const ArrowArray& array, std::int64_t at) {
  if (type.storage == Storage::date) {
    const Moment moment(whole_number(type, array, at), type.units);
    return static_cast<double>(moment.days) +
           static_cast<double>(moment.microseconds) / 1e6 / static_cast<double>(day_seconds);
  }
  switch (type.cells) {
    case Cells::uint64:
      return static_cast<double>(stored<std::uint64_t>(array, at));
    case Cells::half:
      return half_number(stored<std::uint16_t>(array, at));
    case Cells::single:
      return stored<float>(array, at);
    case Cells::twice:
      return stored<double>(array, at);
    case Cells::bits:
      return bit_at(array.buffers[1], at) ? 1 : 0;
    case Cells::decimal: {
      // Exact up to 2^53 and 22 digits after the point, as the text of the number would be.
      __extension__ using Wide = __int128;
      const double power = std::pow(10.0, std::abs(type.scale));
      const auto value = static_cast<double>(stored<Wide>(array, at));
      return type.scale >= 0 ? value / power : value * power;
    }
    default:
      return static_cast<double>(whole_number(type, array, at));
  }
}

std::string_view view_at(const ArrowArray& array, std::int64_t at) {
  constexpr std::int32_t longest_inside = 12;
  struct View {
    std::int32_t size, prefix, buffer, offset;
  };
  const auto view = stored<View>(array, at);
  const char* text = view.size <= longest_inside
                         ? static_cast<const char*>(array.buffers[1]) + at * std::int64_t{sizeof view} + 4
                         : static_cast<const char*>(array.buffers[2 + view.buffer]) + view.offset;
  return {text, static_cast<std::size_t>(view.size)};
}

template <class Offset>
std::string_view slice_at(const ArrowArray& array, std::int64_t at) {
  const auto begin = stored<Offset>(array, at), end = stored<Offset>(array, at + 1);
  if (begin == end) return {};
  return {static_cast<const char*>(array.buffers[2]) + begin, static_cast<std::size_t>(end - begin)};
}

std::string date_text(std::int64_t value, std::int64_t units) {
  const Moment moment(value, units);
  const std::chrono::year_month_day date(std::chrono::sys_days(std::chrono::days(moment.days)));
  const std::int64_t seconds = moment.microseconds / 1'000'000, fraction = moment.microseconds % 1'000'000;
  char text[64];
  const auto part = [](std::int64_t number) { return static_cast<int>(number); };
  int size = std::snprintf(text, sizeof text, "%04d-%02u-%02u", static_cast<int>(date.year()),
                           static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
  if (moment.microseconds > 0)
    size += std::snprintf(text + size, sizeof text - static_cast<std::size_t>(size), " %02d:%02d:%02d",
                          part(seconds / 3600), part(seconds / 60 % 60), part(seconds % 60));
  if (fraction > 0)
    size += std::snprintf(text + size, sizeof text - static_cast<std::size_t>(size), ".%06d", part(fraction));
  return {text, static_cast<std::size_t>(size)};
}

std::string_view text_at(const ArrowType& type, const ArrowArray& array, std::int64_t at, std::string& room) {
  switch (type.cells) {
    case Cells::none:
      return {};
    case Cells::text:
      return slice_at<std::int32_t>(array, at);
    case Cells::large_text:
      return slice_at<std::int64_t>(array, at);
    case Cells::text_view:
      return view_at(array, at);
    default:
      break;
  }
  if (type.storage == Storage::boolean) return bit_at(array.buffers[1], at) ? "true" : "false";
  if (type.storage == Storage::date)
    room = date_text(whole_number(type, array, at), type.units);
  else if (type.cells == Cells::uint64)
    room = std::to_string(stored<std::uint64_t>(array, at));
  else if (type.is_whole())
    room = std::to_string(whole_number(type, array, at));
  else if (const double value = number_at(type, array, at); std::isnan(value))
    return {};
  else
    room = std::isfinite(value) ? shortest_form(value) : value > 0 ? "inf" : "-inf";
  return room;
}

ArrowOpener& arrow_opener() {
  static ArrowOpener opener;
  return opener;
}

}  // namespace

ArrowBatch::ArrowBatch(std::shared_ptr<const std::vector<ArrowColumn>> columns, ArrowArray& array)
    : columns_(std::move(columns)),
      array_(new ArrowArray(array),
             [](ArrowArray* taken) {
               taken->release(taken);
               delete taken;
             }),
      rows_(static_cast<std::size_t>(array.length)) {
  array.release = nullptr;
}

ArrowBatch ArrowBatch::part(std::size_t first, std::size_t rows) const {
  ArrowBatch some = *this;
  some.first_ += first;
  some.rows_ = rows;
  return some;
}

std::int64_t ArrowBatch::place(const ArrowArray& cells, std::size_t row) const {
  return static_cast<std::int64_t>(first_ + row) + array_->offset + cells.offset;
}

bool ArrowBatch::is_missing(std::size_t column, std::size_t row) const {
  const ArrowArray& cells = *array_->children[column];
  const std::int64_t at = place(cells, row);
  const ArrowType& type = (*columns_)[column].type;
  if (type.cells == Cells::none || !has_cell(cells, at)) return true;
  return type.levels &&
         !has_cell(*cells.dictionary, whole_number(type, cells, at) + cells.dictionary->offset);
}

double ArrowBatch::number(std::size_t column, std::size_t row) const {
  const ArrowArray& cells = *array_->children[column];
  const ArrowType& type = (*columns_)[column].type;
  const std::int64_t at = place(cells, row);
  if (type.cells == Cells::twice && !cells.buffers[0]) return stored<double>(cells, at);  // the usual case
  return is_missing(column, row) ? missing_cell : number_at(type, cells, at);
}

std::string_view ArrowBatch::text(std::size_t column, std::size_t row, std::string& room) const {
  if (is_missing(column, row)) return {};
  const ArrowArray& cells = *array_->children[column];
  const ArrowType& type = (*columns_)[column].type;
  const std::int64_t at = place(cells, row);
  if (!type.levels) return text_at(type, cells, at, room);
  return text_at(*type.levels, *cells.dictionary, whole_number(type, cells, at) + cells.dictionary->offset,
                 room);
}

ArrowStream::ArrowStream(ArrowArrayStream stream, std::string name)
    : stream_(stream), name_(std::move(name)) {
  ArrowSchema schema{};
  try {
    check(stream_.get_schema(&stream_, &schema));
    for (std::int64_t k = 0; k < schema.n_children; ++k) columns_->push_back(column_of(*schema.children[k]));
  } catch (...) {
    if (schema.release) schema.release(&schema);
    stream_.release(&stream_);
    throw;
  }
  schema.release(&schema);
}

void ArrowStream::check(int status) {
  if (status == 0) return;
  const char* why = stream_.get_last_error(&stream_);
  fail(why ? why : std::strerror(status));
}

void ArrowStream::fail(const std::string& why) const {
  throw data_error(name_.empty() ? why : name_ + ": " + why);
}

void ArrowStream::check_column(std::size_t column) const {
  const ArrowColumn& each = (*columns_)[column];
  if (!each.why_not.empty()) fail("column '" + each.name + "' " + each.why_not);
}

std::optional<ArrowBatch> ArrowStream::next() {
  ArrowArray array{};
  check(stream_.get_next(&stream_, &array));
  if (!array.release) return std::nullopt;
  return ArrowBatch(columns_, array);
}

void open_arrow_files_with(ArrowOpener opener) { arrow_opener() = std::move(opener); }

bool is_arrow_file(const std::string& path) {
  if (!arrow_opener() || !opens_again(path)) return false;
  const std::string start =
      read_until(*open_file(path), [](std::string_view text) { return text.size() >= 6; }).substr(0, 6);
  return start.starts_with("PAR1") || start == "ARROW1" || start.starts_with("FEA1");
}

std::shared_ptr<ArrowStream> open_arrow_table(const Source& source) {
  if (source.stream) return source.stream;
  return std::make_shared<ArrowStream>(arrow_opener()(source.path), source.name());
}

std::string header_of(const ArrowStream& stream, char delimiter) {
  std::string header;
  for (const ArrowColumn& column : stream.columns()) {
    header += header.empty() ? "\"" : std::string(1, delimiter) + "\"";
    for (const char c : column.name) header += c == '"' ? "\"\"" : std::string(1, c);
    header += '"';
  }
  return header + "\n";
}

}  // namespace induce::detail
