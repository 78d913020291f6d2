// What a table is, from what was seen in it (seen_table.hpp): the kinds of its columns, their levels, the label and the
// classes, and the number that each text stands for. The rules are those of read.hpp, whatever the number of chunks.
//
// A table of which more must be known is read again: with columns as texts that have texts besides numbers or dates; LIBSVM
// text, when the number of its features is known.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "read/dataset.hpp"
#include "read/seen_table.hpp"
#include "read/read_plan.hpp"

namespace induce::detail {

// Levels of a feature that a model does not have.
struct UnknownLevels {
  std::vector<std::uint64_t> hashes;  // one for each
  std::string first;
  Place place;  // of the first
};

struct TableShape {
  std::optional<ReadPlan> again;  // read by this plan; everything else is unknown
  bool sparse = false;            // LIBSVM text that stays sparse; everything else is unknown

  Names names;
  std::vector<ColumnSummary> columns;  // missing values are counted for columns that are left out only
  std::vector<std::size_t> left_out;   // as in Dataset
  std::string id_name;
  std::vector<std::string> warnings;
  std::size_t rows = 0;  // that are left
  std::size_t rows_without_label = 0;
  std::vector<std::size_t> class_rows;  // of each class; empty without labels
  bool labelled = false, weighted = false;
  bool has_labels = false;  // of LIBSVM text, even if they are ignored

  std::size_t raw_features = 0;             // of raw rows; then come label and weight
  std::vector<std::size_t> kept;            // features of the raw rows that are features of the table
  std::vector<std::vector<double>> values;  // per feature of the raw rows: of each text
  std::vector<int> class_of;                // of each label's text; -1: the row has no label and is left out

  // Of a piece of a table, per feature of the raw rows.
  std::vector<TextValues::Style> styles;  // none: plain numbers, or open
  std::vector<UnknownLevels> unknown;

  std::size_t features() const { return kept.size(); }
};

// Throws an Error.
TableShape find_shape(const ReadPlan& plan, const SeenTable& seen);

// What a dataset says of its table, but for missing values (add_gaps in final_rows.hpp); moved from the shape.
Dataset without_rows(TableShape& shape);

std::string warning_of_unlabelled(std::size_t rows);
std::string warning_of_unused(const CsvLayout& layout);  // columns that the model does not know

}  // namespace induce::detail
