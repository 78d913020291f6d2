// See row_stream.hpp. Each chunk of text is seen alone (seen_table.hpp), with its own shape (table_shape.hpp).
#include "read/row_stream.hpp"

#include <algorithm>
#include <unordered_set>

#include "read/chunk_batches.hpp"
#include "read/csv_merger.hpp"
#include "read/final_rows.hpp"
#include "read/libsvm_chunk.hpp"
#include "read/libsvm_dataset.hpp"

namespace induce::detail {
namespace {

using Style = TextValues::Style;

// Levels of a feature that the model does not have, in all blocks so far.
struct SeenUnknown {
  static constexpr std::size_t most = 1'000'000;  // that are told apart
  std::unordered_set<std::uint64_t> hashes;
  std::string first;
  Place place;
};

class RowStreamer {
 public:
  RowStreamer(ReadPlan plan, const std::function<void(const TableBlock&)>& use)
      : plan_(std::move(plan)),
        use_(use),
        unknown_(plan_.layout.features),
        plain_(plan_.layout.features, false) {
    plan_.piece = true;
    plan_.styles.assign(plan_.layout.features, Style::none);
  }

  StreamedTable run() {
    try {
      TableText text(plan_);
      if (plan_.format == Format::libsvm)
        for_each_chunk<LibsvmChunk>(
            plan_, text, [&](LibsvmChunk& chunk) { parse_chunk(plan_, chunk); },
            [&](LibsvmChunk& chunk) { return use_libsvm(chunk); });
      else
        for_each_chunk<CsvChunk>(
            plan_, text, [&](CsvChunk& chunk) { parse_chunk(plan_, true, chunk); },
            [&](CsvChunk& chunk) { return use_csv(chunk); });
      check_all();
    } catch (const ParseFault& fault) {
      plan_.report(fault);
    }
    if (waiting_) use_(*waiting_);
    add_warnings();
    return std::move(table_);
  }

 private:
  bool use_csv(CsvChunk& chunk) {
    for (std::size_t f = 0; f < plan_.layout.features; ++f)  // parsed before its style was known
      if (plan_.layout.rule[f] != plan_.rules[f] && chunk.cells.features[f].numbers > 0) {
        parse_chunk(plan_, true, chunk);
        break;
      }
    const ReadPlan* plan = &plan_;
    for (std::optional<ReadPlan> again;;) {
      SeenTable seen;
      CsvMerger(*plan, seen).merge(chunk);
      TableShape shape = find_shape(*plan, seen);
      if (!shape.again) {
        see_styles(seen, shape);
        see_unknown(shape);
        put(shape, chunk.rows.data(), seen);
        return true;
      }
      again = *std::move(shape.again);
      plan = &*again;
      parse_chunk(*plan, true, chunk);
    }
  }

  bool use_libsvm(LibsvmChunk& chunk) {
    SeenTable seen;
    merge(plan_, chunk, seen);
    TableShape shape = find_shape(plan_, seen);
    if (!first_labelled_ && chunk.count > 0) first_labelled_ = shape.has_labels;
    if (chunk.count > 0 && *first_labelled_ != shape.has_labels)
      throw ParseFault{nullptr,
                       shape.has_labels ? "the line has a label, but the first has none"
                                        : "the line has no label, but the first has one",
                       Fault::data, shape.has_labels ? seen.labelled : seen.unlabelled};
    largest_ = std::max(largest_, seen.largest_index);
    least_ = std::min(least_, seen.least_last_index);
    complete_ = complete_ && seen.complete;
    put(shape, chunk.rows.data(), seen);
    return true;
  }

  // Decimal commas may not follow plain numbers, which may have had thousands separators.
  void see_styles(const SeenTable& seen, const TableShape& shape) {
    for (std::size_t f = 0; f < plan_.layout.features; ++f) {
      const Style style = shape.styles[f];
      if (style == Style::none) {
        plain_[f] = plain_[f] || seen.features[f].numbers > 0;
        continue;
      }
      if (style == Style::decimal_comma && plain_[f])
        throw ParseFault{
            nullptr,
            plan_.layout.name_of_column(plan_.layout.column[f]) +
                ": there are decimal commas in these rows, but rows before have numbers without; "
                "write numbers with a decimal point and without thousands separators",
            Fault::data, seen.features[f].texts.entries().front().first};
      plan_.styles[f] = style;
      if (style == Style::decimal_comma) plan_.layout.rule[f] = CellRule::category;  // "1.234" is a thousand
    }
  }

  void see_unknown(const TableShape& shape) {
    for (std::size_t f = 0; f < unknown_.size(); ++f) {
      const UnknownLevels& found = shape.unknown[f];
      if (found.hashes.empty()) continue;
      SeenUnknown& seen = unknown_[f];
      if (seen.hashes.empty()) {
        seen.first = found.first;
        seen.place = found.place;
      }
      for (const std::uint64_t hash : found.hashes)
        if (seen.hashes.size() < SeenUnknown::most) seen.hashes.insert(hash);
    }
  }

  // The block before can be used now: more rows follow it.
  void put(const TableShape& shape, const double* rows, SeenTable& seen) {
    table_.rows_without_label += shape.rows_without_label;
    table_.rows += shape.rows;
    if (shape.rows == 0) return;
    if (waiting_) use_(*waiting_);
    TableBlock& block = waiting_.emplace();
    RowsInMemory raw;
    raw.restart(plan_.format == Format::libsvm ? plan_.features + 1 : plan_.width());
    raw.append(rows, seen.rows);
    block.X.resize(static_cast<Index>(shape.rows), static_cast<Index>(shape.features()));
    if (shape.labelled) block.y.resize(shape.rows);
    std::vector<std::size_t> number(shape.rows);
    FinalRows(shape, raw)
        .next(shape.rows, block.X.data(), block.y.empty() ? nullptr : block.y.data(), nullptr, number.data());
    block.id_name = shape.id_name;
    if (!seen.ids.empty())
      for (const std::size_t row : number) block.ids.push_back(std::move(seen.ids[row]));
  }

  void check_all() const {
    if (table_.rows == 0 && table_.rows_without_label > 0) throw ParseFault{nullptr, "no row has a label"};
    if (plan_.format == Format::libsvm) {
      if (table_.rows == 0) throw ParseFault{nullptr, "the file has comments but no rows"};
      if (plan_.options.dense_shows_all && largest_ < plan_.features && complete_ && least_ == largest_)
        throw ParseFault{nullptr, "the data has " + std::to_string(largest_) +
                                      " features in every row, expected " + std::to_string(plan_.features)};
    } else if (table_.rows == 0) {
      throw ParseFault{nullptr, "the file has a header but no rows"};
    }
  }

  // In the order of read.hpp.
  void add_warnings() {
    const CsvLayout& layout = plan_.layout;
    for (const int use : layout.target) {
      if (use < 0 || unknown_[static_cast<std::size_t>(use)].hashes.empty()) continue;
      const SeenUnknown& seen = unknown_[static_cast<std::size_t>(use)];
      table_.warnings.push_back(
          warning_of_unknown(layout.name_of_column(layout.column[static_cast<std::size_t>(use)]),
                             seen.hashes.size(), seen.first, plan_.where(seen.place)));
    }
    if (!layout.unknown.empty()) table_.warnings.push_back(warning_of_unused(layout));
    if (table_.rows_without_label > 0)
      table_.warnings.push_back(warning_of_unlabelled(table_.rows_without_label));
  }

  ReadPlan plan_;
  const std::function<void(const TableBlock&)>& use_;
  StreamedTable table_;
  std::optional<TableBlock> waiting_;
  std::vector<SeenUnknown> unknown_;
  std::vector<bool> plain_;  // a block had plain numbers

  // LIBSVM
  std::optional<bool> first_labelled_;
  std::size_t largest_ = 0, least_ = static_cast<std::size_t>(-1);
  bool complete_ = true;
};

}  // namespace

StreamedTable stream_rows(const std::vector<std::string>& paths, const ReadOptions& options,
                          const std::function<void(const TableBlock&)>& use) {
  constexpr std::size_t widest_dense = 1000;
  std::vector<Source> files(paths.begin(), paths.end());
  for (Source& file : files) {
    file.encoding = options.encoding;
    read_twice(file);
  }
  ReadPlan plan = plan_reading(std::move(files), options);
  if (plan.format == Format::csv || plan.features <= widest_dense)
    return RowStreamer(std::move(plan), use).run();
  Dataset data = read_libsvm(plan);
  StreamedTable table{data.rows(), data.rows_without_label, std::move(data.warnings)};
  TableBlock block;
  block.X = std::move(data.X);
  block.sparse = std::move(data.sparse);
  block.y = std::move(data.y);
  use(block);
  return table;
}

}  // namespace induce::detail
