// See read.hpp.
#include "read/read.hpp"

#include "read/raw_table.hpp"

namespace induce::detail {
namespace {

// Each chunk is a table with a shape of its own (table_shape.hpp).
class RowStreamer {
 public:
  RowStreamer(ReadPlan plan, const std::function<void(const Dataset&)>& use)
      : plan_(std::move(plan)), use_(use), plain_(plan_.layout.features), unknown_(plan_.layout.features) {
    plan_.piece = true;
    plan_.styles.assign(plan_.layout.features, TextStyle::none);
  }

  StreamedTable run() {
    try {
      for_each_chunk(plan_, [&](Chunk& chunk) { return take(chunk); });
      check_rows(plan_, table_.rows + table_.rows_without_label);
      if (table_.rows == 0) refuse("no row has a label");
      if (plan_.format == Format::libsvm) check_features(plan_, all_);
    } catch (const ParseFault& fault) {
      plan_.report(fault);
    }
    if (waiting_) use_(*waiting_);
    add_warnings();
    return std::move(table_);
  }

 private:
  bool take(Chunk& chunk) {
    const std::vector<CellRule> rules = plan_.layout.rule;
    for (std::size_t f = 0; f < plain_.size(); ++f)  // parsed before its style was known
      if (plan_.as_texts(f) && chunk.seen.features[f].numbers > 0) {
        parse_chunk(plan_, chunk);
        break;
      }
    for (;; parse_chunk(plan_, chunk)) {
      SeenTable seen;
      seen.add(plan_, chunk);
      std::optional<TableShape> shape = find_shape(plan_, seen);
      if (!shape) continue;
      plan_.layout.rule = rules;
      for (std::size_t f = 0; f < plain_.size(); ++f) {
        set_style(f, seen.features[f], shape->found[f]);
        for (const Dictionary::Entry& level : shape->found[f].unknown)
          if (unknown_[f].size() < most_texts) unknown_[f].add(level);
      }
      all_.add_pairs(seen);
      check_all_or_no_labels(all_);
      table_.rows_without_label += shape->data.rows_without_label;
      table_.rows += shape->rows;
      if (shape->rows == 0) return true;
      if (waiting_) use_(*waiting_);  // more rows follow it
      waiting_ = RawTable(*std::move(shape), chunk, plan_.width(), std::move(seen.ids)).all_rows();
      return true;
    }
  }

  // Decimal commas may not follow plain numbers, which may have had thousands separators.
  void set_style(std::size_t f, const SeenColumn& seen, const FoundColumn& found) {
    if (found.style == TextStyle::none) {
      plain_[f] = plain_[f] || seen.numbers > 0;
      return;
    }
    const bool decimal_comma = found.style == TextStyle::decimal_comma;
    if (decimal_comma && plain_[f])
      refuse(plan_.layout.name_of_column(plan_.layout.column[f]) +
                 ": there are decimal commas in these rows, but rows before have numbers without; "
                 "write numbers with a decimal point and without thousands separators",
             Fault::data, seen.texts.entries().front().first);
    plan_.styles[f] = found.style;
    if (decimal_comma) plan_.layout.rule[f] = CellRule::category;  // "1.234" is a thousand
  }

  // In the order of read.hpp.
  void add_warnings() {
    const CsvLayout& layout = plan_.layout;
    for (const int use : layout.target) {
      if (use < 0) continue;
      const auto f = static_cast<std::size_t>(use);
      const Dictionary& unknown = unknown_[f];
      if (!unknown.empty())
        table_.warnings.push_back(warning_of_unknown(layout.name_of_column(layout.column[f]), unknown.size(),
                                                     unknown.entries()[0].text,
                                                     plan_.where(unknown.entries()[0].first)));
    }
    if (!layout.unknown.empty()) table_.warnings.push_back(warning_of_unused(layout));
    if (table_.rows_without_label > 0)
      table_.warnings.push_back(warning_of_unlabelled(table_.rows_without_label));
  }

  ReadPlan plan_;
  const std::function<void(const Dataset&)>& use_;
  StreamedTable table_;
  SeenTable all_;  // LIBSVM
  std::optional<Dataset> waiting_;
  std::vector<bool> plain_;          // of each feature: a block had plain numbers
  std::vector<Dictionary> unknown_;  // of each feature: levels that the model does not have
};

}  // namespace

Dataset read_dataset(const std::vector<std::string>& paths, const ReadOptions& options) {
  return read_table(plan_reading({paths.begin(), paths.end()}, options));
}

Dataset read_dataset(const std::string& path, const ReadOptions& options) {
  return read_dataset(std::vector{path}, options);
}

Dataset parse_dataset(std::string_view text, const std::string& path, const ReadOptions& options) {
  return read_table(plan_reading({Source(path, text)}, options));
}

namespace {

StreamedTable stream_sources(std::vector<Source> sources, const ReadOptions& options,
                             const std::function<void(const Dataset&)>& use) {
  constexpr std::size_t widest_dense = 1000;
  ReadPlan plan = plan_reading(std::move(sources), options, true);
  if (plan.format == Format::csv || options.expected_count() <= widest_dense)
    return RowStreamer(std::move(plan), use).run();
  const Dataset data = read_table(plan);
  use(data);
  return {data.rows(), data.rows_without_label, data.warnings};
}

}  // namespace

StreamedTable stream_rows(const std::vector<std::string>& paths, const ReadOptions& options,
                          const std::function<void(const Dataset&)>& use) {
  return stream_sources({paths.begin(), paths.end()}, options, use);
}

StreamedTable stream_text(std::string_view text, const std::string& name, const ReadOptions& options,
                          const std::function<void(const Dataset&)>& use) {
  return stream_sources({Source(name, text)}, options, use);
}

bool is_header(std::string_view line, const ReadOptions& options) {
  const ReadPlan plan = plan_reading({Source("the first line", line)}, options, true);
  return plan.format == Format::csv && !plan.layout.header.empty();
}

}  // namespace induce::detail
