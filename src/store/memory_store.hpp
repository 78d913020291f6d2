// A store of rows in memory. The table stays where it is; only the order of its rows is new.
#pragma once

#include <span>

#include <induce/table.hpp>

#include "machine/workers.hpp"
#include "store/row_store.hpp"

namespace induce::detail {

// Some of the user's rows, merged.
struct Draw {
  std::vector<Index> distinct;  // rows of the store, in the order of the draw
  Vector weight;                // of each of them in the draw
  std::vector<Index> place;     // of each of the user's rows, among the distinct ones
  Vector own_weight;            // of each of the user's rows

  // How many of the user's rows each distinct row stands for.
  Vector copies() const;
};

class MemoryStore final : public RowStore {
 public:
  // All rows of a table that have a weight. What is given must outlive this; empty weights: all 1. `column_order`: in which
  // columns are hashed.
  MemoryStore(TableView table, std::span<const int> labels, std::span<const double> weights,
              std::span<const Index> column_order, Workers& workers);
  // Only the rows of `count` leaves, from the first one on, of `total`.
  MemoryStore(TableView table, std::span<const int> labels, std::span<const double> weights,
              std::span<const Index> column_order, Index total, Index first, Index count, Workers& workers);
  // Every row on its own, in the order of the table, for methods that merge none. Without labels there are no facts.
  static MemoryStore as_it_is(TableView table, std::span<const int> labels = {},
                              std::span<const double> weights = {});

  void read(Index first, Index rows, const Cells& to) const override;

  TableView table() const { return table_; }
  std::span<const int> labels() const { return labels_; }       // by row of the table
  std::span<const double> weights() const { return weights_; }  // by row of the table; empty: all 1
  const double* row(Index i) const { return table_.row(static_cast<std::size_t>(table_row(i))); }
  Index table_row(Index i, Index copy = 0) const {
    return row_[begin_[static_cast<std::size_t>(i)] + static_cast<std::size_t>(copy)];
  }
  std::vector<Index> table_rows(std::span<const Index> rows) const;
  int label(Index i) const { return labels_[static_cast<std::size_t>(table_row(i))]; }
  const Vector& weight() const { return weight_; }
  Index copies(Index i) const {  // of the user's rows
    return begin_[static_cast<std::size_t>(i) + 1] - begin_[static_cast<std::size_t>(i)];
  }

  // The user's rows, copies one after the other.
  Index user_rows() const { return static_cast<Index>(row_.size()); }
  Index table_row_of_user(Index k) const { return row_[static_cast<std::size_t>(k)]; }
  Index distinct_of(Index k) const {
    return std::upper_bound(begin_.begin(), begin_.end(), static_cast<std::uint32_t>(k)) - begin_.begin() - 1;
  }
  Draw draw(std::span<const Index> picked) const;

 private:
  MemoryStore(TableView table, std::span<const int> labels, std::span<const double> weights);
  double own_weight(std::uint32_t row) const { return weights_.empty() ? 1.0 : weights_[row]; }

  TableView table_;
  std::span<const int> labels_;
  std::span<const double> weights_;
  std::vector<std::uint32_t> row_;    // of the table, for each of the user's rows
  std::vector<std::uint32_t> begin_;  // the first of the user's rows that each row is, and their number
  Vector weight_;
};

}  // namespace induce::detail
