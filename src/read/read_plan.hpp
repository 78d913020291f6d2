// How a table in one or several files is read: the format and the layout. What a pass finds may call for another one: see
// table_shape.hpp.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "read/source.hpp"
#include "read/csv_layout.hpp"
#include "read/read_options.hpp"
#include "read/schema.hpp"
#include "read/text_values.hpp"

namespace induce::detail {

struct ReadPlan {
  std::vector<Source> files;
  ReadOptions options;
  Format format = Format::csv;
  std::size_t chunk_bytes = default_chunk;
  bool keep_ids = true;  // of the id column, if there is one

  std::string head;             // the beginning of the first file that is not empty
  std::uint32_t head_file = 0;  // its number
  CsvLayout layout;  // LIBSVM text has only a label; columns with texts besides numbers are read as texts
  std::vector<CellRule> rules;  // of each feature, as they were before that

  // Arrow: what the source says of each feature; empty for text.
  std::vector<Storage> storage{};
  // A table in memory: its columns in the words of its owner. Empty: those of the command line.
  std::function<ColumnWords(std::size_t column)> words{};

  // The rows are a piece of a table, for a model (read.hpp): what concerns all rows of the table is not checked.
  bool piece = false;
  std::vector<TextStyle> styles;  // of each feature, in earlier pieces

  static constexpr std::size_t default_chunk = std::size_t{1} << 20;

  bool has_label() const { return layout.has_label && !options.ignore_labels; }
  bool has_weight() const { return layout.has_weight && !options.ignore_weights; }
  bool keeps_ids() const { return layout.id && keep_ids; }
  bool as_texts(std::size_t feature) const { return layout.rule[feature] != rules[feature]; }
  bool has_trials() const { return layout.has_trials && has_label(); }
  // Raw rows have the features, then the number of the label's text (dictionary.hpp), its trials and the weight, if there
  // are such.
  std::size_t width() const {
    return layout.features + (has_label() ? 1 : 0) + (has_trials() ? 1 : 0) + (has_weight() ? 1 : 0);
  }

  // Its cells are all read as texts, or are of one type: to read them again would not help.
  bool is_settled(std::size_t feature) const {
    const bool typed =
        !storage.empty() && storage[feature] != Storage::text && storage[feature] != Storage::category;
    return typed || as_texts(feature);
  }
  // For what a feature is, among so many rows.
  ColumnSetting setting(std::size_t feature, std::size_t rows) const;
  // "line 12", or with several files "line 12 of 'b.csv'".
  std::string where(const Place& place) const;
  // The name of a single file, or "'a.csv' and 2 other files".
  std::string name() const;
  // As an Error with the names of files.
  [[noreturn]] void report(const ParseFault& fault) const;
};

// Reads the beginning of the first file. `once`: the files will be read once more, otherwise any number of times. Throws an
// Error.
ReadPlan plan_reading(std::vector<Source> files, const ReadOptions& options, bool once = false);

// The format of one line: LIBSVM if the first or second token is an index:value pair, none if there is at most one token
// (possibly a row of zeros) and no CSV punctuation, otherwise CSV.
std::optional<Format> line_format(std::string_view line);

}  // namespace induce::detail
