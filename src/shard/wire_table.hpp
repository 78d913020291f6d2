// Tables and feature maps in messages.
#pragma once

#include <span>
#include <vector>

#include "shard/message.hpp"
#include "store/sample.hpp"
#include "table/feature_map.hpp"

namespace induce {

// Rows that arrive in pieces. They are copied once, when all are there.
class GrowingRows {
 public:
  void add(const double* x, Index rows, Index columns, const int* labels, const double* weights);
  void add(MessageReader& in);
  OwnedRows take();  // leaves this empty
  Index rows() const { return static_cast<Index>(labels_.size()); }
  Index columns() const { return columns_; }

 private:
  Index columns_ = 0;
  std::vector<double> x_;
  std::vector<int> labels_;
  std::vector<double> weights_;
};

// `count` rows of a table from the first one on; without weights, all are 1.
void write_rows(MessageWriter& out, TableView table, std::span<const int> labels,
                std::span<const double> weights, std::size_t first, std::size_t count);
// Rows of a table with these numbers.
void write_rows(MessageWriter& out, const OwnedRows& from, const std::vector<Index>& rows);

void write_facts(MessageWriter& out, const FactsOfRows& facts);
FactsOfRows read_facts(MessageReader& in);

void write_map(MessageWriter& out, const FeatureMap& map);
FeatureMap read_map(MessageReader& in);

}  // namespace induce
