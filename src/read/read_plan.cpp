// See read_plan.hpp.
#include "read/read_plan.hpp"

#include <algorithm>

#include <induce/error.hpp>

#include "read/text_encoding.hpp"
#include "read/libsvm.hpp"

namespace induce {
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

// Runs of whole files with about as many bytes each.
std::vector<std::vector<FileRange>> split_files(const std::vector<Source>& files, std::size_t count) {
  std::vector<double> bytes;  // up to each file
  double sum = 0;
  for (const Source& file : files) bytes.push_back(sum += static_cast<double>(facts_of(file).bytes) + 1);
  std::vector<std::vector<FileRange>> parts(1);
  for (std::size_t file = 0; file < files.size(); ++file) {
    const double middle = (file == 0 ? 0 : bytes[file - 1]) + bytes[file];
    if (middle / 2 > sum * static_cast<double>(parts.size()) / static_cast<double>(count) &&
        !parts.back().empty() && parts.size() < count)
      parts.emplace_back();
    parts.back().push_back({static_cast<std::uint32_t>(file)});
  }
  return parts;
}

void check_format(const ReadPlan& plan) {
  const ReadOptions& options = plan.options;
  if (plan.format == Format::libsvm && options.weights_required && !options.weight.empty())
    throw ParseFault{nullptr,
                     "there is no weight column " + in_quotes(options.weight) +
                         ": this is LIBSVM text, which has no columns; only CSV can hold weights",
                     Fault::usage};
}

// Empty files have no rows; the layout is that of the first other one.
void read_head(ReadPlan& plan) {
  for (std::size_t file = 0; file < plan.files.size(); ++file) {
    TextChunks text(plan.files[file], {static_cast<std::uint32_t>(file)});
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

std::string ReadPlan::line(const Place& place) const {
  return std::to_string(place.line) + (files.size() > 1 ? " of " + files[place.file].name() : "");
}

std::string ReadPlan::name() const {
  const std::size_t others = files.size() - 1;
  if (others == 0) return files[0].name();
  return files[0].name() + " and " + std::to_string(others) + (others == 1 ? " other file" : " other files");
}

void ReadPlan::report(const ParseFault& fault) const {
  if (fault.place)
    throw Error(fault.fault, files[fault.place->file].name() + ", line " + std::to_string(fault.place->line) +
                                 ": " + fault.what);
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

void read_in_one_part(ReadPlan& plan) {
  plan.parts.assign(1, {});
  for (std::size_t file = 0; file < plan.files.size(); ++file)
    plan.parts[0].push_back({static_cast<std::uint32_t>(file)});
}

ReadPlan plan_reading(std::vector<Source> files, const ReadOptions& options, std::size_t parts) {
  ReadPlan plan;
  plan.files = std::move(files);
  for (Source& file : plan.files)
    if (!file.held) file.encoding = options.encoding;
  plan.options = options;
  try {
    read_head(plan);
  } catch (const ParseFault& fault) {
    plan.report(fault);
  }
  if (plan.format == Format::libsvm) plan.features = options.expected_count();
  read_in_one_part(plan);
  if (parts < 2) return plan;
  if (plan.files.size() > 1) {
    plan.parts = split_files(plan.files, parts);
  } else if (const SourceFacts facts = facts_of(plan.files[0]); facts.again && facts.plain) {
    constexpr std::size_t mark_bytes = 3;  // of a byte order mark, which the layout does not count
    plan.parts.clear();
    for (const FileRange& range : split_file(plan.files[0], 0, parts)) {
      // The beginning of the file, with the header, belongs to the first part.
      if (range.begin > 0 && range.begin <= plan.layout.body + mark_bytes)
        plan.parts.back().back().end = range.end;
      else
        plan.parts.push_back({range});
    }
  }
  return plan;
}

}  // namespace induce
