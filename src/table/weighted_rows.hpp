// Rows of a table, each with a weight. Rows with equal features and labels can be merged into one distinct row with
// the sum of their weights: bounds, gradients and predictions stay the same, at lower cost.
//
// What is drawn at random, for a stage or to be held out, are the user's rows, never distinct ones: of ten equal rows, some
// may be held out and the others not, each with its own label and weight. Rows are merged within a draw.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <induce/table.hpp>

#include "linalg/types.hpp"
#include "rows/workers.hpp"

namespace induce {

// Some of the user's rows, merged.
struct DrawnRows {
  std::vector<Index> distinct;  // indices of distinct rows, in the order of the draw
  Vector weight;                // of each of them in the draw
  std::vector<Index> place;     // of each of the user's rows, among the distinct ones
  Vector own_weight;            // of each of the user's rows

  // How many of the user's rows each distinct row stands for.
  Vector copies() const;
};

struct WeightedRows {
  TableView table;
  std::vector<Index> rows;  // the distinct rows, as row indices of the table
  Vector weight;            // of each of them, > 0
  // The user's rows that have a weight: row index of the table, distinct row, and weight of each.
  std::vector<Index> table_row, distinct_of;
  Vector own_weight;

  Index n() const { return static_cast<Index>(rows.size()); }
  Index user_rows() const { return static_cast<Index>(distinct_of.size()); }
  Index d() const { return static_cast<Index>(table.d); }
  const double* row(Index i) const { return table.row(static_cast<std::size_t>(rows[i])); }
  DrawnRows draw(std::span<const Index> of_user) const;
};

// All rows, with weight 1 if `weights` is empty. None are merged.
WeightedRows all_rows(TableView table, std::span<const double> weights);

// Merges equal rows and omits rows of weight 0. Rows are ordered by a hash of their contents, equal rows by weight. So the result
// of a fit does not depend on the order of the table. (0 and -0 are equal, and so are all NaN.) `order`: in which columns
// are hashed; empty: as they are.
WeightedRows merged_rows(TableView table, std::span<const int> labels, std::span<const double> weights,
                         Workers& workers, std::span<const Index> order = {});
// The same for sparse rows: the result has their indices and a table without numbers.
WeightedRows merged_rows(const SparseView& table, std::span<const int> labels,
                         std::span<const double> weights, Workers& workers);
// Of the contents of a row. An entry that is 0 and one that is left out are the same.
std::uint64_t hash_of_row(const SparseView& table, Index row);

}  // namespace induce
