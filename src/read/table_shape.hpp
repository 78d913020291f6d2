// What a table is, from what was seen in it (chunk.hpp): the kinds of its columns, their levels, the label and the
// classes, and the number that each text stands for. The rules are those of read.hpp, whatever the number of chunks.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "read/chunk.hpp"
#include "read/dataset.hpp"

namespace induce::detail {

struct TableShape {
  Dataset
      data{};  // all that is known but its rows; missing values are counted for columns that are left out only
  std::size_t rows = 0;                   // that are left
  std::vector<std::size_t> class_rows{};  // of each class; empty without labels
  bool labelled = false, weighted = false, with_trials = false;
  bool sparse = false;       // LIBSVM text that stays sparse
  std::size_t pairs = 0;     // of LIBSVM text
  std::size_t features = 0;  // of the table

  std::vector<FoundColumn> found{};  // features of the raw rows
  std::vector<std::size_t> kept{};   // those of them that are features of the table
  std::vector<int> class_of{};       // of each label's text; -1: the row has no label and is left out
  std::vector<double> successes{};   // of each label's text, if labels are counts or shares
};

// None: columns have texts besides numbers or dates. The table must be read again with these as texts, as the plan now says.
// Throws an Error.
std::optional<TableShape> find_shape(ReadPlan& plan, const SeenTable& seen);

// Throws a ParseFault without rows.
void check_rows(const ReadPlan& plan, std::size_t rows);

std::string warning_of_unlabelled(std::size_t rows);
std::string warning_of_unused(const CsvLayout& layout);  // columns that the model does not know

}  // namespace induce::detail
