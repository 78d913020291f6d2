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

#include "read/chunk.hpp"

namespace induce::detail {
namespace {

constexpr std::int64_t day_seconds = 86'400;

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

double half_cell(const ArrowArray& array, std::int64_t at) {
  const auto bits = stored<std::uint16_t>(array, at);
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  const double size = exponent == 0    ? std::ldexp(fraction, -24)
                      : exponent == 31 ? (fraction ? missing_cell : std::numeric_limits<double>::infinity())
                                       : std::ldexp(1024 + fraction, exponent - 25);
  return bits >> 15 ? -size : size;
}

template <class Number>
std::int64_t whole_cell(const ArrowArray& array, std::int64_t at) {
  return static_cast<std::int64_t>(stored<Number>(array, at));
}
template <class Number>
double number_cell(const ArrowArray& array, std::int64_t at) {
  return static_cast<double>(stored<Number>(array, at));
}
template <class Number>
std::string_view printed_cell(const ArrowArray& array, std::int64_t at, std::string& room) {
  return room = std::to_string(stored<Number>(array, at));
}

double bit_cell(const ArrowArray& array, std::int64_t at) { return bit_at(array.buffers[1], at) ? 1 : 0; }
std::string_view boolean_cell(const ArrowArray& array, std::int64_t at, std::string& /*room*/) {
  return bit_at(array.buffers[1], at) ? "true" : "false";
}

template <class Offset>
std::string_view text_cell(const ArrowArray& array, std::int64_t at, std::string& /*room*/) {
  const auto begin = stored<Offset>(array, at), end = stored<Offset>(array, at + 1);
  if (begin == end) return {};
  return {static_cast<const char*>(array.buffers[2]) + begin, static_cast<std::size_t>(end - begin)};
}

std::string_view view_cell(const ArrowArray& array, std::int64_t at, std::string& /*room*/) {
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

template <class Number>
ArrowType whole_type() {
  return {.storage = Storage::number,
          .whole = whole_cell<Number>,
          .number = number_cell<Number>,
          .text = printed_cell<Number>};
}

std::optional<ArrowType> plain_type(std::string_view format) {
  __extension__ using Wide = __int128;
  if (format == "n") return ArrowType{};
  if (format == "c") return whole_type<std::int8_t>();
  if (format == "C") return whole_type<std::uint8_t>();
  if (format == "s") return whole_type<std::int16_t>();
  if (format == "S") return whole_type<std::uint16_t>();
  if (format == "i") return whole_type<std::int32_t>();
  if (format == "I") return whole_type<std::uint32_t>();
  if (format == "l") return whole_type<std::int64_t>();
  if (format == "L") return whole_type<std::uint64_t>();
  if (format == "e") return ArrowType{.storage = Storage::number, .number = half_cell};
  if (format == "f") return ArrowType{.storage = Storage::number, .number = number_cell<float>};
  if (format == "g") return ArrowType{.storage = Storage::number, .number = number_cell<double>};
  if (format == "b") return ArrowType{.storage = Storage::boolean, .number = bit_cell, .text = boolean_cell};
  if (format == "u") return ArrowType{.text = text_cell<std::int32_t>};
  if (format == "U") return ArrowType{.text = text_cell<std::int64_t>};
  if (format == "vu") return ArrowType{.text = view_cell};
  if (format == "tdD")
    return ArrowType{.storage = Storage::date, .whole = whole_cell<std::int32_t>, .units = 1};
  std::int64_t units = 0;
  if (format == "tdm") units = day_seconds * 1000;
  if (format.starts_with("ts") && format.size() > 2) {
    const std::size_t power = std::string_view("smun").find(format[2]);
    if (power == std::string_view::npos) return std::nullopt;
    units = day_seconds;
    for (std::size_t k = 0; k < power; ++k) units *= 1000;
  }
  if (units > 0)
    return ArrowType{.storage = Storage::date, .whole = whole_cell<std::int64_t>, .units = units};
  if (format.starts_with("d:")) {  // precision, scale, and bits if they are not 128
    int precision = 0, scale = 0;
    const char* end = format.data() + format.size();
    const auto first = std::from_chars(format.data() + 2, end, precision);
    if (first.ptr == end) return std::nullopt;
    const auto second = std::from_chars(first.ptr + 1, end, scale);
    if (second.ptr == end)
      return ArrowType{.storage = Storage::number, .number = number_cell<Wide>, .scale = scale};
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
  ArrowColumn column{schema.name ? schema.name : ""};
  const auto refused = [&](std::string_view format) {
    column.why_not =
        "has the type " + name_of_type(format) + ": must be numbers, texts, categories, booleans or dates";
    return column;
  };
  const std::optional<ArrowType> type = plain_type(schema.format);
  if (!type || (schema.dictionary && !type->whole)) return refused(schema.format);
  column.type = *type;
  if (!schema.dictionary) return column;
  const std::optional<ArrowType> levels = plain_type(schema.dictionary->format);
  if (!levels || schema.dictionary->dictionary) return refused(schema.dictionary->format);
  column.type.storage = Storage::category;
  column.type.levels = std::make_shared<ArrowType>(*levels);
  return column;
}

// Microseconds and the whole days among them; finer units are cut off.
struct Moment {
  Moment(std::int64_t value, std::int64_t units) {
    const std::int64_t left = value % units, day = day_seconds * 1'000'000;
    days = value / units - (left < 0 ? 1 : 0);
    const std::int64_t rest = left < 0 ? left + units : left;
    microseconds = units > day ? rest / (units / day) : rest * (day / units);
  }
  std::int64_t days, microseconds;
};

double number_at(const ArrowType& type, const ArrowArray& array, std::int64_t at) {
  if (type.storage == Storage::date) {
    const Moment moment(type.whole(array, at), type.units);
    return static_cast<double>(moment.days) +
           static_cast<double>(moment.microseconds) / 1e6 / static_cast<double>(day_seconds);
  }
  const double value = type.number(array, at);
  if (type.scale == 0) return value;
  // Exact up to 2^53 and 22 digits after the point, as the text of the number would be.
  const double power = std::pow(10.0, std::abs(type.scale));
  return type.scale > 0 ? value / power : value * power;
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
  if (type.text) return type.text(array, at, room);
  if (type.storage == Storage::date) return room = date_text(type.whole(array, at), type.units);
  const double value = number_at(type, array, at);
  if (std::isnan(value)) return {};
  return room = std::isfinite(value) ? shortest(value + 0.0) : value > 0 ? "inf" : "-inf";
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

std::optional<ArrowBatch::Cell> ArrowBatch::find(std::size_t column, std::size_t row) const {
  const ArrowArray& cells = *array_->children[column];
  const ArrowType& type = (*columns_)[column].type;
  const std::int64_t at = static_cast<std::int64_t>(first_ + row) + array_->offset + cells.offset;
  if ((!type.whole && !type.number && !type.text) || !has_cell(cells, at)) return std::nullopt;
  if (!type.levels) return Cell{type, cells, at};
  const std::int64_t level = type.whole(cells, at) + cells.dictionary->offset;
  if (!has_cell(*cells.dictionary, level)) return std::nullopt;
  return Cell{*type.levels, *cells.dictionary, level};
}

double ArrowBatch::number(std::size_t column, std::size_t row) const {
  const std::optional<Cell> cell = find(column, row);
  return cell ? number_at(cell->type, cell->array, cell->at) : missing_cell;
}

std::string_view ArrowBatch::text(std::size_t column, std::size_t row, std::string& room) const {
  const std::optional<Cell> cell = find(column, row);
  return cell ? text_at(cell->type, cell->array, cell->at, room) : std::string_view();
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

std::vector<std::string> ArrowStream::names() const {
  std::vector<std::string> names;
  for (const ArrowColumn& column : *columns_) names.push_back(column.name);
  return names;
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

// As if the text of the columns had been parsed, without the text.
void parse_batch(const ReadPlan& plan, Chunk& chunk) {
  const CsvLayout& layout = plan.layout;
  const ArrowBatch& batch = *chunk.batch;
  const std::size_t width = plan.width();
  std::string room;
  // Valid as long as the chunk.
  const auto text = [&](std::size_t column, std::size_t row) {
    room.clear();
    const std::string_view found = batch.text(column, row, room);
    return trimmed(room.empty() ? found : chunk.copies.emplace_back(room));
  };
  const auto for_each_cell = [&](std::size_t place, const auto& parse) {
    for (std::size_t row = 0; row < batch.rows(); ++row) chunk.rows[row * width + place] = parse(row);
  };
  for (std::size_t column = 0; column < layout.columns(); ++column) {
    const int use = layout.target[column];
    if (use >= 0) {
      const auto f = static_cast<std::size_t>(use);
      SeenColumn& seen = chunk.seen.features[f];
      const Storage storage = batch.columns()[column].type.storage;
      const CellRule rule = layout.rule[f];
      const bool as_number =
          storage == Storage::boolean
              ? rule == CellRule::number || rule == CellRule::date
              : (storage == Storage::number || storage == Storage::date) && rule != CellRule::category;
      for_each_cell(f, [&](std::size_t row) {
        const double number = as_number ? batch.number(column, row) : missing_cell;
        if (std::isfinite(number)) {
          ++(storage == Storage::date ? seen.dates : seen.numbers);
          return number;
        }
        if (std::isinf(number))
          throw ParseFault{chunk.text.data() + row, plan.setting(f, 0).words.shown + ": " +
                                                        why_not_a_number(number > 0 ? "inf" : "-inf")};
        if (column == layout.grouping) check_group(text(column, row), layout, chunk.text.data() + row);
        return parse_cell(text(column, row), row, rule, seen);
      });
    } else if (use == CsvLayout::label_column && plan.has_label()) {
      for_each_cell(layout.features, [&](std::size_t row) {
        return cell_of_text(chunk.seen.labels.add(text(column, row), row));
      });
    } else if (use == CsvLayout::trials_column && plan.has_trials()) {
      for_each_cell(layout.features + 1, [&](std::size_t row) {
        return trials_of(text(column, row), layout, column, chunk.text.data() + row);
      });
    } else if (use == CsvLayout::weight_column && plan.has_weight()) {
      for_each_cell(width - 1, [&](std::size_t row) {
        double weight = 0;
        const std::string_view token = text(column, row);
        if (!is_number(token, weight) || weight < 0)
          throw ParseFault{chunk.text.data() + row, why_no_weight(layout, column, token)};
        return weight;
      });
    }
    if (plan.keeps_ids() && column == layout.id)
      for (std::size_t row = 0; row < batch.rows(); ++row) chunk.seen.ids.emplace_back(text(column, row));
  }
  if (plan.has_label() && plan.options.counts()) {
    const std::size_t label = static_cast<std::size_t>(
        std::find(layout.target.begin(), layout.target.end(), CsvLayout::label_column) -
        layout.target.begin());
    for (std::size_t row = 0; row < batch.rows(); ++row)
      check_successes(plan, text(label, row), chunk.rows.data() + row * width, chunk.text.data() + row);
  }
  chunk.seen.rows = batch.rows();
}

}  // namespace induce::detail
