// fit(): from a table with two or more classes to a model.
#pragma once

#include <map>
#include <span>
#include <string>

#include <induce/api.hpp>
#include <induce/error.hpp>
#include <induce/model.hpp>
#include <induce/options.hpp>
#include <induce/report.hpp>
#include <induce/table.hpp>

namespace induce {

struct Fit {
  Model model;
  Report report;
};

// labels[i] is the class of row i: 0, 1, ... A row of weight w counts as w rows; without weights each row counts once.
// With groups, leave_one_out of the report has rows that were left out with their fold of groups (methods but vi-newton: none).
// Throws an Error for input that cannot be fitted; a numerical failure is a status in the report.
INDUCE_API Fit fit(TableView table, std::span<const int> labels, const Options& options = {},
                   std::span<const double> weights = {}, const Names& names = {}, const Groups& groups = {});

// Sparse rows. A table that is less than a tenth full, and has more than 1,000 columns or 2^28 cells, stays sparse: see
// docs/tables.md for what such a model can do. All others are filled with zeros, and NaN is a missing value in them.
INDUCE_API Fit fit(SparseView table, std::span<const int> labels, const Options& options = {},
                   std::span<const double> weights = {}, const Names& names = {}, const Groups& groups = {});

// The same for successes of trials, or shares: the fit of the table in which each row stands once as class 1, with its
// successes (times its weight) as weight, and once as class 0 with the rest. These two are counted as rows by the report. What
// is held out or left out are whole rows of this table, or the groups that are given. For two classes only.
INDUCE_API Fit fit(TableView table, const Trials& trials, const Options& options = {},
                   std::span<const double> weights = {}, const Names& names = {}, const Groups& groups = {});
INDUCE_API Fit fit(SparseView table, const Trials& trials, const Options& options = {},
                   std::span<const double> weights = {}, const Names& names = {}, const Groups& groups = {});

// The notes stored in a checkpoint. Throws a data Error if the file is not a checkpoint or is damaged.
INDUCE_API std::map<std::string, std::string> read_checkpoint_notes(const std::string& path);

}  // namespace induce
