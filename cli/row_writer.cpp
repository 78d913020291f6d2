#include "row_writer.hpp"

#include <array>
#include <charconv>

#include <nlohmann/json.hpp>

#include <induce/error.hpp>

#include "internals.hpp"
#include "read/arrow_columns.hpp"
#include "text/format.hpp"

namespace induce::cli {
namespace {

constexpr std::size_t piece = 1 << 20;

bool ends_with_any(const std::string& path, std::initializer_list<const char*> endings) {
  for (const char* ending : endings)
    if (path.ends_with(ending)) return true;
  return false;
}

bool is_table(std::string path) {
  for (char& c : path) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return ends_with_any(path, {".parquet", ".pq", ".feather", ".arrow", ".ipc"});
}

TableEncoder& table_encoder() {
  static TableEncoder encoder;
  return encoder;
}

}  // namespace

void encode_tables_with(TableEncoder encoder) { table_encoder() = std::move(encoder); }

RowWriter::RowWriter(const std::string& path, const std::vector<std::string>& names, Put put)
    : path_(path),
      names_(names),
      json_(ends_with_any(path, {".jsonl", ".ndjson", ".json"})),
      put_(std::move(put)) {
  if (is_table(path)) {
    for (std::size_t k = 0; k < names.size(); ++k) table_.push_back(std::make_shared<Column>());
    return;
  }
  for (const std::string& name : names) {
    const std::string between = before_.empty() ? "" : json_ ? ", " : ",";
    if (!json_) text_ += between + encoded(name);
    before_.push_back(json_ ? (before_.empty() ? "{" : between) + encoded(name) + ": " : between);
  }
  if (!json_) text_ += "\n";
}

std::string RowWriter::encoded(std::string_view text) const {
  if (!table_.empty()) return std::string(text);
  if (!json_) return csv_field(text);
  // Names need not be valid UTF-8; JSON must be.
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void RowWriter::add_encoded(std::string_view cell) {
  if (!table_.empty()) {
    Column& column = *table_[next_++];
    column.text += cell;
    column.ends.push_back(static_cast<std::int64_t>(column.text.size()));
    return;
  }
  text_ += before_[next_++];
  text_ += cell;
}

void RowWriter::add(double number) {
  if (!table_.empty()) return table_[next_++]->numbers.push_back(number);
  std::array<char, 32> digits{};
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), number);
  add_encoded({digits.data(), static_cast<std::size_t>(end - digits.data())});
}

void RowWriter::end_row() {
  next_ = 0;
  ++rows_;
  if (!table_.empty()) return;
  text_ += json_ ? "}\n" : "\n";
  if (text_.size() >= piece) flush();
}

void RowWriter::flush() {
  put_(text_);
  text_.clear();
}

void RowWriter::finish() {
  if (table_.empty()) return flush();
  std::vector<std::unique_ptr<ArrowCells>> cells;
  for (const std::shared_ptr<Column>& column : table_) {
    const bool numbers = !column->numbers.empty();
    std::vector<const void*> buffers{nullptr};
    if (numbers)
      buffers.push_back(column->numbers.data());
    else
      buffers.insert(buffers.end(), {column->ends.data(), column->text.data()});
    cells.push_back(std::make_unique<ArrowCells>(numbers ? "g" : "U", rows_, std::move(buffers), column));
  }
  ArrowArrayStream stream = stream_of_columns(names_, std::move(cells), rows_);
  const std::string bytes = table_encoder()(path_, &stream);
  if (stream.release) stream.release(&stream);  // nobody has taken it
  put_(bytes);
}

void check_output_format(const std::string& path) {
  if (!is_table(path)) return;
  if (table_encoder())
    table_encoder()(path, nullptr);
  else
    throw usage_error("--output: '" + path +
                      "': induce writes CSV and JSON lines (.jsonl); for Parquet and Arrow pip install "
                      "'induce[tables]' and run the induce command of that package");
}

}  // namespace induce::cli
