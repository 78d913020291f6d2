// See read_plan.hpp.
#include "read/read_plan.hpp"

#include <algorithm>

#include <induce/error.hpp>

#include "read/arrow.hpp"
#include "read/text_encoding.hpp"
#include "read/libsvm.hpp"

namespace induce::detail {
namespace {

// The extension, ignoring that of a compressed file: ".csv" for "table.csv.gz".
std::string_view extension_of(std::string_view path) {
  for (const std::string_view suffix : {".gz", ".bz2", ".xz"})
    if (path.ends_with(suffix)) path.remove_suffix(suffix.size());
  const std::size_t dot = path.rfind('.');
  return dot == std::string_view::npos ? std::string_view() : path.substr(dot);
}

// Nothing if more lines are needed.
std::optional<Format> format_of(std::string_view text, bool ended, std::string_view path) {
  // Rows of zeros in LIBSVM text look like one-column CSV; few files start with many of them.
  constexpr int max_lines = 1000;
  for (int i = 0; i < max_lines && !text.empty(); ++i) {
    if (!ended && text.find('\n') == std::string_view::npos) return std::nullopt;
    const LineFormat format = line_format(take_line(text));
    if (format != LineFormat::unknown) return format == LineFormat::libsvm ? Format::libsvm : Format::csv;
    if (text.empty() && !ended) return std::nullopt;
  }
  const std::string_view extension = extension_of(path);
  return extension == ".svm" || extension == ".libsvm" ? Format::libsvm : Format::csv;
}

bool is_blank_text(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

void check_format(const ReadPlan& plan) {
  const ReadOptions& options = plan.options;
  if (plan.format == Format::libsvm && options.weights_required && !options.weight.empty())
    throw ParseFault{nullptr,
                     "there is no weight column " + in_quotes(options.weight) +
                         ": this is LIBSVM text, which has no columns; only CSV can hold weights",
                     Fault::usage};
}

// Types that a text would not show: a category stays one, whatever its levels look like.
void read_arrow_head(ReadPlan& plan, std::uint32_t file) {
  const Source& source = plan.files[file];
  if (plan.options.delimiter || plan.options.encoding != TextEncoding::automatic)
    throw ParseFault{nullptr, source.name() + " is no text: it has its own encoding and no delimiter",
                     Fault::usage};
  const std::shared_ptr<ArrowStream> stream = open_arrow_table(source);
  plan.format = Format::csv;
  plan.head_file = file;
  plan.head = header_of(*stream, ',');
  ReadOptions options = plan.options;
  options.delimiter = ',';  // names may have others
  plan.layout = csv_layout(plan.head, options, true);
  for (std::size_t f = 0; f < plan.layout.features; ++f) {
    plan.storage.push_back(stream->columns()[plan.layout.column[f]].type.storage);
    if (plan.layout.rule[f] == CellRule::found && plan.storage[f] == Storage::category)
      plan.layout.rule[f] = CellRule::category;
  }
  plan.rules = plan.layout.rule;
}

// Empty files have no rows; the layout is that of the first other one.
void read_head(ReadPlan& plan) {
  for (std::size_t file = 0; file < plan.files.size(); ++file) {
    if (plan.files[file].arrow) return read_arrow_head(plan, static_cast<std::uint32_t>(file));
    TextChunks text(plan.files[file], static_cast<std::uint32_t>(file));
    text.skip_mark();
    plan.format = read_format(text, plan.files[file].path, plan.options);
    if (is_blank_text(text.head())) continue;
    plan.head_file = static_cast<std::uint32_t>(file);
    check_format(plan);
    if (plan.format == Format::libsvm) return;
    read_first_row(text, plan.options.delimiter);
    plan.head = text.head();
    const FirstRow row = find_first_row(plan.head, plan.options.delimiter, true);
    check_utf8(std::string_view(plan.head).substr(0, row.end));
    plan.layout = csv_layout(plan.head, plan.options);
    plan.rules = plan.layout.rule;
    return;
  }
  throw ParseFault{nullptr, plan.files.size() == 1 ? "the file is empty" : "all files are empty"};
}

}  // namespace

ColumnSetting ReadPlan::setting(std::size_t feature, std::size_t rows) const {
  const std::size_t column = layout.column[feature];
  const std::string name = layout.header.empty() ? "" : layout.header[column];
  const std::vector<Column>* known = options.expected_columns ? &*options.expected_columns : nullptr;
  ColumnSetting setting{
      .words = words ? words(column) : command_words(layout.name_of_column(column), name, column),
      .rule = rules[feature],
      .rows = rows,
      .expected = options.expected_count() != 0 || known,
      .known = known && !known->empty() ? &(*known)[feature] : nullptr,
      .style = styles.empty() ? TextValues::Style::none : styles[feature],
      .dates = options.dates,
      .where = [this](const Place& place) { return where(place); }};
  if (words && !known) setting.where = nullptr;  // rows of a table in memory are of no help
  if (layout.header.empty()) setting.first_row = Place{head_file, layout.first_row_end};
  return setting;
}

std::string ReadPlan::where(const Place& place) const {
  if (words) return "row " + std::to_string(place.offset);
  const Source& file = files[place.file];
  return (file.arrow ? "row " : "line ") + std::to_string(place.line) +
         (files.size() > 1 ? " of " + file.name() : "");
}

std::string ReadPlan::name() const {
  const std::size_t others = files.size() - 1;
  if (others == 0) return files[0].name();
  return files[0].name() + " and " + std::to_string(others) + (others == 1 ? " other file" : " other files");
}

void ReadPlan::report(const ParseFault& fault) const {
  if (words) throw Error(fault.fault, fault.what);
  if (fault.place)
    throw Error(fault.fault, files[fault.place->file].name() +
                                 (files[fault.place->file].arrow ? ", row " : ", line ") +
                                 std::to_string(fault.place->line) + ": " + fault.what);
  if (fault.at)  // into the head
    throw Error(fault.fault, files[head_file].name() + ", line " + std::to_string(line_of(head, fault.at)) +
                                 ": " + fault.what);
  throw Error(fault.fault, name() + ": " + fault.what);
}

Format read_format(TextChunks& text, const std::string& path, const ReadOptions& options) {
  const Format wanted = options.delimiter ? Format::csv : options.format;
  while (is_blank_text(text.head()) && !text.ended()) text.read_more();
  for (;; text.read_more()) {
    if (wanted != Format::automatic) return wanted;
    if (const auto format = format_of(text.head(), text.ended(), path)) return *format;
  }
}

void read_first_row(TextChunks& text, char delimiter) {
  while (!find_first_row(text.head(), delimiter, text.ended()).whole) text.read_more();
}

ReadPlan plan_reading(std::vector<Source> files, const ReadOptions& options) {
  ReadPlan plan;
  plan.files = std::move(files);
  for (Source& file : plan.files) {
    if (file.held) continue;
    file.encoding = options.encoding;
    file.arrow = is_arrow_file(file.path);
  }
  plan.options = options;
  try {
    read_head(plan);
  } catch (const ParseFault& fault) {
    plan.report(fault);
  }
  if (plan.format == Format::libsvm) plan.features = options.expected_count();
  return plan;
}

}  // namespace induce::detail
