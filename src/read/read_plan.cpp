// See read_plan.hpp.
#include "read/read_plan.hpp"

#include <induce/error.hpp>

#include "read/arrow.hpp"
#include "read/chunk.hpp"

namespace induce::detail {
namespace {

// Nothing if more lines are needed.
std::optional<Format> format_of(std::string_view text, bool ended, std::string_view path) {
  // Rows of zeros in LIBSVM text look like one-column CSV; few files start with many of them.
  constexpr int max_lines = 1000;
  for (int i = 0; i < max_lines && !text.empty(); ++i) {
    if (!ended && text.find('\n') == std::string_view::npos) return std::nullopt;
    if (const auto format = line_format(take_line(text))) return format;
    if (text.empty() && !ended) return std::nullopt;
  }
  for (const std::string_view suffix : {".gz", ".bz2", ".xz"})
    if (path.ends_with(suffix)) path.remove_suffix(suffix.size());
  return path.ends_with(".svm") || path.ends_with(".libsvm") ? Format::libsvm : Format::csv;
}

// The format of a text, which is read on until that is known.
Format read_format(TextChunks& text, const std::string& path, const ReadOptions& options) {
  const Format wanted = options.delimiter ? Format::csv : options.format;
  while (is_blank_text(text.head()) && !text.ended()) text.read_more();
  for (;; text.read_more()) {
    if (wanted != Format::automatic) return wanted;
    if (const auto format = format_of(text.head(), text.ended(), path)) return *format;
  }
}

// Types that a text would not show: a category stays one, whatever its levels look like.
void read_arrow_head(ReadPlan& plan, const Source& file) {
  if (plan.options.delimiter || plan.options.encoding != TextEncoding::automatic)
    refuse(file.name() + " is no text: it has its own encoding and no delimiter", Fault::usage);
  const std::shared_ptr<ArrowStream> stream = open_arrow_table(file);
  plan.format = Format::csv;
  plan.layout.header = stream->names();
  if (plan.layout.header.empty()) refuse(file.name() + " has no columns");
  set_columns(plan.layout, plan.layout.header.size(), plan.options);
  for (std::size_t f = 0; f < plan.layout.features; ++f) {
    plan.storage.push_back(stream->columns()[plan.layout.column[f]].type.storage);
    if (plan.layout.rule[f] == CellRule::found && plan.storage[f] == Storage::category)
      plan.layout.rule[f] = CellRule::category;
  }
}

// False: the file is empty.
bool read_text_head(ReadPlan& plan, const Source& file) {
  TextChunks text(file, plan.head_file);
  plan.format = read_format(text, file.path, plan.options);
  if (is_blank_text(text.head())) return false;
  if (plan.format == Format::libsvm) {
    if (plan.options.weights_required && !plan.options.weight.empty())
      refuse("there is no weight column " + in_quotes(plan.options.weight) +
                 ": this is LIBSVM text, which has no columns; only CSV can hold weights",
             Fault::usage);
    if (!plan.options.trials.empty())
      refuse("there is no trials column " + in_quotes(plan.options.trials) +
                 ": this is LIBSVM text, which has no columns; only CSV can hold trials",
             Fault::usage);
    plan.layout.has_label = true;
    return true;
  }
  text.read_first_row(plan.options.delimiter);
  plan.head = text.head();
  plan.layout = csv_layout(plan.head, plan.options);
  return true;
}

// Empty files have no rows; the layout is that of the first other one.
void read_head(ReadPlan& plan) {
  for (const Source& file : plan.files) {
    if (file.arrow)
      read_arrow_head(plan, file);
    else if (!read_text_head(plan, file)) {
      ++plan.head_file;
      continue;
    }
    plan.rules = plan.layout.rule;
    return;
  }
  refuse(plan.files.size() == 1 ? "the file is empty" : "all files are empty");
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
      .style = styles.empty() ? TextStyle::none : styles[feature],
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
  std::optional<Place> place = fault.place;
  if (fault.at) place = place_in(head, {head_file}, static_cast<std::size_t>(fault.at - head.data()));
  if (!place) throw Error(fault.fault, name() + ": " + fault.what);
  const Source& file = files[place->file];
  throw Error(fault.fault, file.name() + (file.arrow ? ", row " : ", line ") + std::to_string(place->line) +
                               ": " + fault.what);
}

ReadPlan plan_reading(std::vector<Source> files, const ReadOptions& options, bool once) {
  ReadPlan plan;
  plan.files = std::move(files);
  for (Source& file : plan.files) {
    file.encoding = options.encoding;
    file.arrow = !file.held && is_arrow_file(file.path);
    keep_text(file, once);
  }
  plan.options = options;
  try {
    read_head(plan);
  } catch (const ParseFault& fault) {
    plan.report(fault);
  }
  return plan;
}

}  // namespace induce::detail
