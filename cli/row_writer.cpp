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

bool ends_with_any(const std::string& path, std::initializer_list<const char*> endings) {
  for (const char* ending : endings)
    if (path.ends_with(ending)) return true;
  return false;
}

}  // namespace

RowWriter::RowWriter(const std::string& path, const std::vector<std::string>& names, Put put)
    : json_(ends_with_any(path, {".jsonl", ".ndjson", ".json"})), put_(std::move(put)) {
  for (const std::string& name : names) {
    const std::string between = before_.empty() ? "" : json_ ? ", " : ",";
    if (!json_) text_ += between + encoded(name);
    before_.push_back(json_ ? (before_.empty() ? "{" : between) + encoded(name) + ": " : between);
  }
  if (!json_) text_ += "\n";
}

std::string RowWriter::encoded(std::string_view text) const {
  if (!json_) return csv_field(text);
  // Names need not be valid UTF-8; JSON must be.
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void RowWriter::add_encoded(std::string_view cell) {
  text_ += before_[next_++];
  text_ += cell;
}

void RowWriter::add(double number) {
  std::array<char, 32> digits{};
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), number);
  add_encoded({digits.data(), static_cast<std::size_t>(end - digits.data())});
}

void RowWriter::end_row() {
  text_ += json_ ? "}\n" : "\n";
  next_ = 0;
  if (text_.size() >= piece) flush();
}

void RowWriter::flush() {
  put_(text_);
  text_.clear();
}

void check_output_format(const std::string& path) {
  if (ends_with_any(path, {".parquet", ".feather", ".arrow"}))
    throw usage_error("--output: '" + path +
                      "': induce writes CSV and JSON lines (.jsonl); for Parquet and Arrow pip install "
                      "'induce[tables]' and run the induce command of that package");
}

}  // namespace induce::cli
