// See read.hpp. CSV text is read in chunks (raw_table.hpp), so that the text itself is never in memory as a whole; LIBSVM
// text is.
#include "read/read.hpp"

#include <algorithm>
#include <deque>
#include <string_view>

#include <induce/error.hpp>

#include "read/libsvm_dataset.hpp"
#include "read/lines.hpp"
#include "read/raw_table.hpp"

namespace induce::detail {
namespace {

Dataset read_csv(const ReadPlan& plan) {
  RawTable table = read_raw_table(plan, std::make_unique<RowsInMemory>(), !plan.options.id.empty());
  TableShape& shape = table.shape;
  Dataset data = without_rows(shape);
  try {
    data.X = allocate_table(shape.rows, shape.features());
  } catch (const ParseFault& fault) {
    plan.report(fault);
  }
  if (shape.labelled) data.y.resize(shape.rows);
  if (shape.weighted) data.weights.resize(shape.rows);
  const bool some_ids = !table.ids.empty() && shape.rows_without_label > 0;
  std::vector<std::size_t> number(some_ids ? shape.rows : 0);
  FinalRows rows = table.final_rows(true);
  rows.next(shape.rows, data.X.data(), data.y.empty() ? nullptr : data.y.data(),
            data.weights.empty() ? nullptr : data.weights.data(), some_ids ? number.data() : nullptr);
  add_gaps(rows.gaps(), data.columns, data.rows_with_gaps);
  for (std::size_t i = 0; i < number.size(); ++i)
    if (number[i] != i) table.ids[i] = std::move(table.ids[number[i]]);
  if (some_ids) table.ids.resize(number.size());
  data.ids = std::move(table.ids);
  return data;
}

Dataset read_sources(std::vector<Source> files, const ReadOptions& options) {
  std::deque<std::string> held;  // what can be read only once
  for (Source& file : files) {
    file.encoding = options.encoding;
    if (opens_again(file)) continue;
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

}  // namespace induce::detail
