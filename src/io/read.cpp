// See read.hpp. CSV text is read in chunks (raw_table.hpp), so that the text itself is never in memory as a whole; LIBSVM
// text is, because a table may stay sparse.
#include "io/read.hpp"

#include <algorithm>
#include <deque>
#include <string_view>

#include <induce/error.hpp>

#include "io/labels.hpp"
#include "io/libsvm.hpp"
#include "io/lines.hpp"
#include "io/raw_table.hpp"

namespace induce {
namespace {

Dataset dataset_of(TableShape& shape) {
  Dataset data;
  data.names = std::move(shape.names);
  data.columns = std::move(shape.columns);
  data.left_out = std::move(shape.left_out);
  data.id_name = std::move(shape.id_name);
  data.warnings = std::move(shape.warnings);
  data.rows_without_label = shape.rows_without_label;
  return data;
}

Dataset read_csv(const ReadPlan& plan) {
  RawTable table = read_raw_table(
      plan, [] { return std::make_unique<RowsInMemory>(); }, !plan.options.id.empty());
  TableShape& shape = table.shape;
  Dataset data = dataset_of(shape);
  try {
    data.X = allocate_table(shape.rows, shape.features());
  } catch (const ParseFault& fault) {
    plan.report(fault);
  }
  if (shape.labelled) data.y.resize(shape.rows);
  if (shape.weighted) data.weights.resize(shape.rows);
  const bool some_ids = !table.ids.empty() && shape.rows_without_label > 0;
  std::vector<std::size_t> number(some_ids ? shape.rows : 0);
  FinalRows rows = table.part(0, true);
  rows.next(shape.rows, data.X.data(), data.y.empty() ? nullptr : data.y.data(),
            data.weights.empty() ? nullptr : data.weights.data(), some_ids ? number.data() : nullptr);
  add_gaps(rows.gaps(), data.columns, data.rows_with_gaps);
  for (std::size_t i = 0; i < number.size(); ++i)
    if (number[i] != i) table.ids[i] = std::move(table.ids[number[i]]);
  if (some_ids) table.ids.resize(number.size());
  data.ids = std::move(table.ids);
  return data;
}

void leave_out_unlabelled(Dataset& data, std::size_t count) {
  if (count == data.y.size()) throw ParseFault{nullptr, "no row has a label"};
  std::vector<std::size_t> labelled;
  for (std::size_t i = 0; i < data.y.size(); ++i)
    if (data.y[i] >= 0) labelled.push_back(i);
  for (std::size_t k = 0; k < labelled.size(); ++k) {
    data.y[k] = data.y[labelled[k]];
    if (!data.sparse) data.X.row(static_cast<Index>(k)) = data.X.row(static_cast<Index>(labelled[k]));
  }
  if (data.sparse)
    data.sparse = take_rows(data.sparse->view(), labelled);
  else
    data.X.conservativeResize(static_cast<Index>(labelled.size()), data.X.cols());
  data.y.resize(labelled.size());
  data.rows_without_label = count;
  data.warnings.push_back(std::to_string(count) +
                          (count == 1 ? " row has no label and is" : " rows have no label and are") +
                          " left out");
}

Dataset parse_libsvm_text(std::string_view text, const ReadOptions& options) {
  ParsedTable table = parse_libsvm(text, options);
  Dataset data;
  data.X = std::move(table.X);
  data.sparse = std::move(table.sparse);
  if (options.classes) data.names.classes = *options.classes;
  if (table.labels.empty() || options.ignore_labels) return data;
  Dictionary known;
  for (const std::string_view label : table.labels)
    data.y.push_back(static_cast<int>(known.add(label, label.data())));
  PlacedTexts spellings;
  for (const auto& [label, first, count, hash] : known.entries())
    spellings.add({label, {0, static_cast<std::uint64_t>(first - text.data())}, count, hash});
  Labels labels = resolve_labels(spellings, false, false, options.classes);
  for (int& y : data.y) y = labels.class_of[static_cast<std::size_t>(y)];
  data.names.classes = std::move(labels.classes);
  if (!labels.warning.empty()) data.warnings.push_back(std::move(labels.warning));
  if (labels.missing > 0) leave_out_unlabelled(data, labels.missing);
  return data;
}

// All files as one text, with a newline between them.
Dataset read_libsvm(const ReadPlan& plan) {
  std::string text;
  std::vector<std::size_t> begin;  // of each file
  for (const Source& file : plan.files) {
    if (!begin.empty()) text += '\n';
    begin.push_back(text.size());
    std::string bytes = all_bytes(file);
    const std::size_t mark = bytes.starts_with("\xef\xbb\xbf") ? 3 : 0;
    if (plan.files.size() == 1 && mark == 0)
      text = std::move(bytes);
    else
      text.append(bytes, mark);
  }
  try {
    return parse_libsvm_text(text, plan.options);
  } catch (ParseFault& fault) {
    if (fault.at || fault.place) {
      const std::size_t at =
          fault.at ? static_cast<std::size_t>(fault.at - text.data()) : fault.place->offset;
      const auto after = std::upper_bound(begin.begin(), begin.end(), at);
      const std::string_view of_file = std::string_view(text).substr(*(after - 1));
      fault.place = Place{static_cast<std::uint32_t>(after - begin.begin() - 1), at,
                          line_of(of_file, text.data() + at)};
      fault.at = nullptr;
    }
    plan.report(fault);
  }
}

Dataset read_sources(std::vector<Source> files, const ReadOptions& options) {
  std::deque<std::string> held;  // what can be read only once
  for (Source& file : files) {
    if (file.held || facts_of(file).again) continue;
    held.push_back(all_bytes(file));
    file = Source(file.path, held.back());
  }
  const ReadPlan plan = plan_reading(std::move(files), options);
  return plan.format == Format::libsvm ? read_libsvm(plan) : read_csv(plan);
}

}  // namespace

Dataset parse_dataset(std::string_view text, const std::string& path, const ReadOptions& options) {
  return read_sources({Source(path, text)}, options);
}

Dataset read_dataset(const std::string& path, const ReadOptions& options) {
  return read_sources({Source(path)}, options);
}

Dataset read_dataset(const std::vector<std::string>& paths, const ReadOptions& options) {
  return read_sources({paths.begin(), paths.end()}, options);
}

}  // namespace induce
