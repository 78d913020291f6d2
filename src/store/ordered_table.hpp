// Ordered rows of a table in memory. The table stays where it is; only the order of its rows is new.
#pragma once

#include <span>

#include <induce/table.hpp>

#include "rows/workers.hpp"
#include "store/ordered_rows.hpp"

namespace induce {

class OrderedTable final : public OrderedRows {
 public:
  // All rows of the table, which must outlive this. `column_order`: in which columns are hashed.
  OrderedTable(TableView table, std::span<const int> labels, std::span<const double> weights,
               std::span<const Index> column_order, Workers& workers);
  // Of a part of the rows: those of `count` leaves, from the first one on, of `total`.
  OrderedTable(TableView table, std::span<const int> labels, std::span<const double> weights,
               std::span<const Index> column_order, Index total, Index first, Index count, Workers& workers);

  const Leaves& leaves() const override { return leaves_; }
  Index columns() const override { return static_cast<Index>(table_.d); }
  void read(Index first, Index rows, double* x, double* label, double* weight) const override;
  void read_copies(Index first, Index rows, double* copies) const override {
    std::copy_n(copies_.begin() + first, rows, copies);
  }
  const FactsOfRows& facts() const { return facts_; }

 private:
  TableView table_;
  std::span<const int> labels_;
  std::vector<std::uint32_t> row_;  // of the table
  Vector weight_;
  std::vector<std::uint32_t> copies_;
  Leaves leaves_;
  FactsOfRows facts_;
};

}  // namespace induce
