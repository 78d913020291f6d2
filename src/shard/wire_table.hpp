// Tables and feature maps in messages.
#pragma once

#include <span>
#include <vector>

#include "shard/message.hpp"
#include "store/sample.hpp"
#include "table/feature_map.hpp"
#include "train/stage_rows.hpp"

namespace induce::detail {

// `count` rows of a table from the first one on; without weights, all are 1.
void write_rows(MessageWriter& out, TableView table, std::span<const int> labels,
                std::span<const double> weights, std::size_t first, std::size_t count);
// Rows of a table with these numbers.
void write_rows(MessageWriter& out, const OwnedRows& from, const std::vector<Index>& rows);
// Adds them to others.
void read_rows(MessageReader& in, OwnedRows& to);

// Writes those rows of a stage that are in `count` leaves from the first one on, and returns how many they are.
Index write_part(MessageWriter& out, const RowMatrix& X, const Targets& targets, Index first, Index count);
StageRows read_part(MessageReader& in);

void write_facts(MessageWriter& out, const RowFacts& facts);
RowFacts read_facts(MessageReader& in);

void write_map(MessageWriter& out, const FeatureMap& map);
FeatureMap read_map(MessageReader& in);

}  // namespace induce::detail
