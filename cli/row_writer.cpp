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

class CsvRows : public RowWriter {
 public:
  CsvRows(const std::vector<std::string>& names, Put put) : RowWriter(std::move(put)) {
    for (const std::string& name : names) CsvRows::add_encoded(csv_field(name));
    CsvRows::end_row();
  }
  std::string encoded(std::string_view text) const override { return csv_field(text); }
  void add_encoded(std::string_view cell) override {
    text_ += cell;
    text_ += ',';
  }
  void end_row() override {
    text_.back() = '\n';
    flush_if_large();
  }
};

class JsonRows : public RowWriter {
 public:
  JsonRows(const std::vector<std::string>& names, Put put) : RowWriter(std::move(put)) {
    for (const std::string& name : names) keys_.push_back(encoded_in_json(name) + ": ");
  }
  std::string encoded(std::string_view text) const override { return encoded_in_json(text); }
  void add_encoded(std::string_view cell) override {
    text_ += next_ == 0 ? "{" : ", ";
    text_ += keys_[next_++];
    text_ += cell;
  }
  void end_row() override {
    text_ += "}\n";
    next_ = 0;
    flush_if_large();
  }

 private:
  // Names need not be valid UTF-8; JSON must be.
  static std::string encoded_in_json(std::string_view text) {
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  }

  std::vector<std::string> keys_;
  std::size_t next_ = 0;
};

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

// Columns of texts and of numbers in memory, until all rows are known.
class TableRows : public RowWriter {
 public:
  TableRows(std::string path, std::vector<std::string> names, Put put)
      : RowWriter(std::move(put)), path_(std::move(path)), names_(std::move(names)) {
    for (std::size_t k = 0; k < names_.size(); ++k) columns_.push_back(std::make_shared<Column>());
  }
  std::string encoded(std::string_view text) const override { return std::string(text); }
  void add_encoded(std::string_view cell) override {
    Column& column = *columns_[next_++];
    column.text += cell;
    column.ends.push_back(static_cast<std::int64_t>(column.text.size()));
  }
  void add(double number) override { columns_[next_++]->numbers.push_back(number); }
  void end_row() override {
    next_ = 0;
    ++rows_;
  }
  void finish() override {
    std::vector<std::unique_ptr<ArrowCells>> cells;
    for (const std::shared_ptr<Column>& column : columns_)
      cells.push_back(
          column->numbers.empty()
              ? std::make_unique<ArrowCells>(
                    "U", rows_, std::vector<const void*>{nullptr, column->ends.data(), column->text.data()},
                    column)
              : std::make_unique<ArrowCells>(
                    "g", rows_, std::vector<const void*>{nullptr, column->numbers.data()}, column));
    ArrowArrayStream stream = stream_of_columns(names_, std::move(cells), rows_);
    const std::string bytes = table_encoder()(path_, &stream);
    if (stream.release) stream.release(&stream);  // nobody has taken it
    put_(bytes);
  }

 private:
  struct Column {
    std::vector<double> numbers;
    std::string text;
    std::vector<std::int64_t> ends{0};
  };
  std::string path_;
  std::vector<std::string> names_;
  std::vector<std::shared_ptr<Column>> columns_;
  std::size_t next_ = 0, rows_ = 0;
};

}  // namespace

void encode_tables_with(TableEncoder encoder) { table_encoder() = std::move(encoder); }

void RowWriter::add(double number) {
  std::array<char, 32> digits{};
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), number);
  add_encoded({digits.data(), static_cast<std::size_t>(end - digits.data())});
}

void RowWriter::flush() {
  put_(text_);
  text_.clear();
}

void RowWriter::flush_if_large() {
  if (text_.size() >= piece) flush();
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

std::unique_ptr<RowWriter> make_row_writer(const std::string& path, const std::vector<std::string>& names,
                                           RowWriter::Put put) {
  if (ends_with_any(path, {".jsonl", ".ndjson", ".json"}))
    return std::make_unique<JsonRows>(names, std::move(put));
  if (is_table(path)) return std::make_unique<TableRows>(path, names, std::move(put));
  return std::make_unique<CsvRows>(names, std::move(put));
}

}  // namespace induce::cli
