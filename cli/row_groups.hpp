// --group and --time: a column that says which rows belong together, and is no feature.
#pragma once

#include <vector>

#include <induce/table.hpp>

#include "fit_arguments.hpp"
#include "read/dataset.hpp"
#include "read/read_options.hpp"

namespace induce::cli {

// The groups of the rows of a table, as in induce::Groups.
struct RowGroups {
  std::vector<int> of{};
  bool in_time = false;

  Groups view() const { return {of, in_time}; }
};

// How a table is read so that it has the column.
void read_groups(ReadOptions& how, const FitArguments& arguments);
// Moves the column out of the table. Groups have the order of their names, moments that of time.
RowGroups take_groups(Dataset& data, const FitArguments& arguments);
// Which rows are held out: whole groups, drawn with `seed`, or the latest moments, with about this fraction of the rows.
std::vector<bool> held_out_groups(const RowGroups& groups, double fraction, std::uint64_t seed);

}  // namespace induce::cli
