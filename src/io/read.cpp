// See read.hpp. Steps: bytes, format, table, labels.
#include "io/read.hpp"

#include <string_view>

#include <induce/error.hpp>

#include "io/csv.hpp"
#include "io/decompress.hpp"
#include "io/labels.hpp"
#include "io/libsvm.hpp"

namespace induce {
namespace {

// The extension, ignoring that of a compressed file: ".csv" for "table.csv.gz".
std::string_view extension_of(std::string_view path) {
  for (const std::string_view suffix : {".gz", ".bz2", ".xz"})
    if (path.ends_with(suffix)) path.remove_suffix(suffix.size());
  const std::size_t dot = path.rfind('.');
  return dot == std::string_view::npos ? std::string_view() : path.substr(dot);
}

Format format_of(std::string_view text, std::string_view path) {
  // Rows of zeros in LIBSVM text look like one-column CSV; few files start with many of them.
  constexpr int max_lines = 1000;
  for (int i = 0; i < max_lines && !text.empty(); ++i) {
    const LineFormat format = line_format(take_line(text));
    if (format != LineFormat::unknown) return format == LineFormat::libsvm ? Format::libsvm : Format::csv;
  }
  const std::string_view extension = extension_of(path);
  return extension == ".svm" || extension == ".libsvm" ? Format::libsvm : Format::csv;
}

Dataset parse(std::string_view text, std::string_view path, const ReadOptions& options) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    throw ParseFault{nullptr, "the file is empty"};
  const Format format = options.format == Format::automatic ? format_of(text, path) : options.format;
  if (format == Format::libsvm && options.weights_required && !options.weight.empty())
    throw ParseFault{nullptr,
                     "there is no weight column " + in_quotes(options.weight) +
                         ": this is LIBSVM text, which has no columns; only CSV can hold weights",
                     Fault::usage};
  ParsedTable table = format == Format::libsvm ? parse_libsvm(text, options) : parse_csv(text, options);
  Dataset data;
  data.X = std::move(table.X);
  data.weights = std::move(table.weights);
  data.names.label = std::move(table.label_name);
  data.names.features = std::move(table.feature_names);
  data.names.weight = std::move(table.weight_name);
  if (options.classes) data.names.classes = *options.classes;
  if (!table.labels.empty() && !options.ignore_labels) {
    Labels labels = resolve_labels(table.labels, format == Format::csv, options.classes);
    data.y = std::move(labels.y);
    data.names.classes = std::move(labels.classes);
  }
  return data;
}

}  // namespace

Dataset parse_dataset(std::string_view text, const std::string& path, const ReadOptions& options) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);  // UTF-8 byte order mark
  try {
    return parse(text, path, options);
  } catch (const ParseFault& fault) {
    const std::string where = fault.at ? ", line " + std::to_string(line_of(text, fault.at)) : "";
    throw Error(fault.fault, name_of_file(path) + where + ": " + fault.what);
  }
}

Dataset read_dataset(const std::string& path, const ReadOptions& options) {
  return parse_dataset(file_bytes(path), path, options);
}

}  // namespace induce
