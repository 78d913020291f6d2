// All rows of a table in shards. Each shard has read some of them. Unless the table is small, rows then move to the
// shard that has their leaf (store/ordered_rows.hpp), where they are ordered and merged.
//
// Rows move through the driver, the share of one shard at a time: no carrier needs connections between shards.
#pragma once

#include <span>

#include "shard/remote_site_rows.hpp"
#include "shard/wire_table.hpp"

namespace induce {

// Gives every shard a share of these rows, as if it had read them. May be called for one block of a table after the other.
void hand_out(Shards& shards, TableView table, std::span<const int> labels, std::span<const double> weights);

// A sample (store/sample.hpp) of a table whose rows the shards have ordered, for a fit or after it.
OwnedRows draw_sample(Shards& shards, double share);

class RemoteAllRows final : public AllRows {
 public:
  // `column_order`: in which columns are hashed.
  RemoteAllRows(Shards& shards, std::span<const Index> column_order);

  // Of all rows that were read.
  const FactsOfRows& facts() const { return facts_; }
  Index columns() const { return columns_; }

  // All rows, in the order of their pieces. The shards are then empty.
  OwnedRows gather();
  // Moves and orders the rows. To be called before the functions below.
  void order();

  Index n() const override { return n_; }
  bool in_memory() const override { return false; }
  std::unique_ptr<SiteRows> place(const FeatureMap& map, const StageNeeds& needs) override;

 private:
  Shards& shards_;
  std::vector<Index> column_order_;
  FactsOfRows facts_;
  Index columns_ = 0, leaves_ = 0, n_ = 0;
  std::vector<Index> rows_;  // of each shard
};

}  // namespace induce
