#include "row_writer.hpp"

#include <array>
#include <charconv>

#include <nlohmann/json.hpp>

#include <induce/error.hpp>

#include "internals.hpp"
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

}  // namespace

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
  if (ends_with_any(path, {".parquet", ".feather", ".arrow"}))
    throw usage_error("--output: '" + path +
                      "': induce writes CSV and JSON lines (.jsonl); for Parquet and Arrow pip install "
                      "'induce[tables]' and run the induce command of that package");
}

std::unique_ptr<RowWriter> make_row_writer(const std::string& path, const std::vector<std::string>& names,
                                           RowWriter::Put put) {
  if (ends_with_any(path, {".jsonl", ".ndjson", ".json"}))
    return std::make_unique<JsonRows>(names, std::move(put));
  return std::make_unique<CsvRows>(names, std::move(put));
}

}  // namespace induce::cli
