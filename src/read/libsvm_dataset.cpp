// See libsvm_dataset.hpp.
#include "read/libsvm_dataset.hpp"

#include <algorithm>

#include "read/text_encoding.hpp"
#include "read/labels.hpp"
#include "read/libsvm.hpp"
#include "read/table_shape.hpp"

namespace induce::detail {
namespace {

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
  data.warnings.push_back(warning_of_unlabelled(count));
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

}  // namespace

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
    check_utf8(text);
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

}  // namespace induce::detail
