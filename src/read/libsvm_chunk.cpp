// See libsvm_chunk.hpp.
#include "read/libsvm_chunk.hpp"

#include <algorithm>
#include <cmath>

#include "read/csv_cells.hpp"
#include "read/libsvm_lines.hpp"
#include "read/seen_table.hpp"

namespace induce::detail {

void parse_chunk(const ReadPlan& plan, LibsvmChunk& chunk) {
  const std::size_t d = plan.features, width = d + 1;
  const bool only_count = d == 0;
  ChunkPlaces places(chunk.text, chunk.start);
  chunk.count = chunk.pairs = chunk.largest_index = 0;
  chunk.least_last_index = static_cast<std::size_t>(-1);
  chunk.complete = true;
  chunk.labels = {};
  chunk.labelled.reset();
  chunk.unlabelled.reset();
  chunk.fault.reset();
  const std::size_t lines = chunk.newlines + 1;
  if (!only_count && chunk.rows.size() < lines * width) chunk.rows.resize(lines * width);
  std::string_view rest = chunk.text;
  try {
    while (!rest.empty()) {
      const std::string_view line = libsvm::without_comment(take_line(rest));
      if (line.empty()) continue;
      const std::size_t last = libsvm::last_index(line);
      chunk.pairs += static_cast<std::size_t>(std::count(line.begin(), line.end(), ':'));
      chunk.largest_index = std::max(chunk.largest_index, last);
      chunk.least_last_index = std::min(chunk.least_last_index, last);
      if (!only_count) {
        double* row = chunk.rows.data() + chunk.count * width;
        std::fill_n(row, d, 0.0);
        std::string_view label;
        const bool complete = libsvm::parse_line(
            line, d, plan.options, &label, [&](std::size_t column, double value) { row[column] = value; });
        chunk.complete = chunk.complete && complete;
        std::optional<Place>& first = label.empty() ? chunk.unlabelled : chunk.labelled;
        if (!first) first = places(line.data());
        row[d] = label.empty() ? missing_cell : cell_of_text(chunk.labels.add(label, label.data()));
      }
      ++chunk.count;
    }
  } catch (ParseFault& fault) {
    fault.place = places(fault.at);
    fault.at = nullptr;
    chunk.fault = fault;
  }
}

bool merge(const ReadPlan& plan, LibsvmChunk& chunk, SeenTable& seen) {
  ChunkPlaces places(chunk.text, chunk.start);
  seen.rows += chunk.count;
  seen.pairs += chunk.pairs;
  seen.largest_index = std::max(seen.largest_index, chunk.largest_index);
  seen.least_last_index = std::min(seen.least_last_index, chunk.least_last_index);
  seen.complete = seen.complete && chunk.complete;
  if (!seen.labelled) seen.labelled = chunk.labelled;
  if (!seen.unlabelled) seen.unlabelled = chunk.unlabelled;
  const bool first = seen.labels.size() == 0;
  std::vector<std::uint32_t> number;
  for (const Dictionary::Entry& entry : chunk.labels.entries())
    number.push_back(seen.labels.add(entry, places));
  if (!first) {
    std::uint32_t text = 0;
    for (std::size_t i = 0; plan.features > 0 && i < chunk.count; ++i) {
      double& label = chunk.rows[i * (plan.features + 1) + plan.features];
      if (text_of_cell(label, text)) label = cell_of_text(number[text]);
    }
  }
  seen.fault = chunk.fault;
  return !seen.fault;
}

}  // namespace induce::detail
