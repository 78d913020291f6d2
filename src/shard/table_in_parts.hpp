// A training table that the processes of a job read together: each reads its part of the files or of one file
// (part_reader.hpp), and what was seen goes to all of them, which find the same shape. This is the driver's side.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "read/dataset.hpp"
#include "read/table_shape.hpp"
#include "shard/carrier.hpp"

namespace induce {

class TableInParts {
 public:
  // Reads the table. None if its files cannot be divided (LIBSVM text, pipes): read them here. Throws an Error; an error in
  // the data is that of one process.
  static std::optional<TableInParts> read(Carrier& carrier, const std::vector<std::string>& files,
                                          const ReadOptions& how);

  const TableShape& shape() const { return shape_; }

  // Of each class, rounded once.
  std::vector<double> class_weights();

  // Then one of these two. Rows stay in the shards of those that have read them, with weights times the factor of their
  // class, if there are factors. Returns what is known of the table.
  Dataset keep(const std::vector<double>& factors);
  // All rows, in the order of the files.
  Dataset gather();

 private:
  TableInParts(Carrier& carrier, ReadPlan plan) : carrier_(carrier), plan_(std::move(plan)) {}
  void read();

  Carrier& carrier_;
  ReadPlan plan_;
  TableShape shape_;
};

}  // namespace induce
