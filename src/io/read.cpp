// See read.hpp. Steps: bytes, format, table, labels.
#include "io/read.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include <induce/error.hpp>

#include "io/csv.hpp"
#include "io/csv_fields.hpp"
#include "io/decompress.hpp"
#include "io/labels.hpp"
#include "io/libsvm.hpp"
#include "io/lines.hpp"

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

void leave_out_unlabelled(Dataset& data, std::size_t count) {
  if (count == data.y.size()) throw ParseFault{nullptr, "no row has a label"};
  std::size_t kept = 0;
  std::vector<std::size_t> labelled;
  for (std::size_t i = 0; i < data.y.size(); ++i) {
    if (data.y[i] < 0) continue;
    if (data.sparse) labelled.push_back(i);
    if (kept != i) {
      if (!data.sparse) data.X.row(static_cast<Index>(kept)) = data.X.row(static_cast<Index>(i));
      data.y[kept] = data.y[i];
      if (!data.weights.empty()) data.weights[kept] = data.weights[i];
      if (!data.ids.empty()) data.ids[kept] = std::move(data.ids[i]);
    }
    ++kept;
  }
  if (data.sparse)
    data.sparse = take_rows(data.sparse->view(), labelled);
  else
    data.X.conservativeResize(static_cast<Index>(kept), data.X.cols());
  data.y.resize(kept);
  if (!data.weights.empty()) data.weights.resize(kept);
  if (!data.ids.empty()) data.ids.resize(kept);
  data.rows_without_label = count;
  data.warnings.push_back(std::to_string(count) +
                          (count == 1 ? " row has no label and is" : " rows have no label and are") +
                          " left out");
}

// Missing values of the rows that are left.
void count_gaps(Dataset& data) {
  const bool any = std::any_of(data.columns.begin(), data.columns.end(),
                               [](const ColumnSummary& column) { return column.missing > 0; });
  if (!any) return;
  std::vector<std::size_t> missing(static_cast<std::size_t>(data.X.cols()), 0);
  for (Index i = 0; i < data.X.rows(); ++i) {
    bool gap = false;
    for (Index f = 0; f < data.X.cols(); ++f) {
      if (!std::isnan(data.X(i, f))) continue;
      gap = true;
      ++missing[static_cast<std::size_t>(f)];
    }
    data.rows_with_gaps += gap ? 1 : 0;
  }
  for (ColumnSummary& column : data.columns)
    if (column.feature) column.missing = missing[*column.feature];
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
  data.sparse = std::move(table.sparse);
  data.weights = std::move(table.weights);
  data.names.label = std::move(table.label_name);
  data.names.features = std::move(table.feature_names);
  data.names.weight = std::move(table.weight_name);
  data.names.columns = std::move(table.columns);
  data.columns = std::move(table.summaries);
  data.left_out = std::move(table.left_out);
  data.warnings = std::move(table.warnings);
  for (const std::string_view id : table.ids) data.ids.push_back(text_of_field(id));
  data.id_name = std::move(table.id_name);
  if (options.classes) data.names.classes = *options.classes;
  if (!table.labels.empty() && !options.ignore_labels) {
    Labels labels = resolve_labels(table.labels, format == Format::csv, options.classes);
    data.y = std::move(labels.y);
    data.names.classes = std::move(labels.classes);
    if (!labels.warning.empty()) data.warnings.push_back(std::move(labels.warning));
    if (labels.missing > 0) leave_out_unlabelled(data, labels.missing);
  }
  count_gaps(data);
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
