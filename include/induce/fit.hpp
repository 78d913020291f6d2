// fit(): from a table with two or more classes to a model.
#pragma once

#include <map>
#include <span>
#include <string>

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

// labels[i] is an index into names.classes: 0 or 1, or more if names.classes has three or more names. Throws an Error for input that cannot be fitted;
// a numerical failure is a status in the report.
// A row of weight w counts as w rows; without weights each row counts once.
Fit fit(TableView table, std::span<const int> labels, const Options& options = {}, const Names& names = {},
        std::span<const double> weights = {});

// Sparse rows. A table that is less than a tenth full, and has more than 1,000 columns or would not fit a quarter of the free
// memory with its zeros, stays sparse: see docs/tables.md for what such a model can do. All others are filled with zeros, and NaN
// is a missing value in them.
Fit fit(SparseView table, std::span<const int> labels, const Options& options = {}, const Names& names = {},
        std::span<const double> weights = {});

// The rows that the shards of options.carrier have read (docs/scale.md). The model is that of fit() for the same rows.
Fit fit_shards(const Options& options, const Names& names);

// The notes stored in a checkpoint. Throws a data Error if the file is not a checkpoint or is damaged.
std::map<std::string, std::string> read_checkpoint_notes(const std::string& path);

}  // namespace induce
