// Options for reading a data file. By default everything is detected from the file.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <induce/columns.hpp>

#include "read/source.hpp"
#include "read/text_values.hpp"

namespace induce::detail {

enum class Format { automatic, csv, libsvm };

struct ReadOptions {
  // automatic: detected from the first lines, or from the extension if they are inconclusive.
  Format format = Format::automatic;
  TextEncoding encoding = TextEncoding::automatic;
  char delimiter = '\0';  // of CSV; 0: detected from the first line

  // CSV: the label column, by its name in the header or by 0-based index, negative from the end. Empty: the
  // only column named "label", "target", "class", "y" or "outcome" (in any case), without a header the last one;
  // otherwise an error, which completes `command`, that of the user.
  std::string label, command;
  // The name of the label column in an earlier file. If the header has it, it takes precedence over `label`,
  // which may be an index that is valid for the earlier file only.
  std::string known_label;

  // CSV: the column with row weights, which is not a feature, specified like `label`. Empty: none. Weights
  // must be finite and >= 0.
  std::string weight;
  // false: the weight column is optional. It is present if the header has its name or, if names are unknown,
  // if it is an index and the file has one more column than features and label.
  bool weights_required = true;
  bool ignore_weights = false;         // skip the weight column; weights stay empty
  std::string weight_word = "weight";  // what messages call the column

  // Labels are not classes but numbers of successes: of the trials in this column of CSV, specified like `label`, or, with
  // `shares`, of one trial each, from 0 to 1. See text/successes.hpp.
  std::string trials;
  bool shares = false;
  bool counts() const { return shares || !trials.empty(); }

  // CSV: columns that are not features, and what features are, specified like `label`. Without them kinds are
  // found from the values: see schema.hpp.
  std::vector<std::string> categorical;  // categories, though they may look like numbers
  std::vector<std::string> numeric;      // numbers; any other text is an error
  std::vector<std::string> drop;         // left out
  std::vector<std::string> only;         // if not empty, all features but these are left out
  std::string id;                        // left out, but its texts are returned
  // Features that say which rows belong together, categories, or when they were. Each row must have a value.
  std::string group, time;
  // How dates such as 01/02/2022 are read: day_first, month_first, or none to find out.
  TextStyle dates = TextStyle::none;

  // The expected number of features d; 0: as many as the file has. LIBSVM: no index may be larger, and
  // features that never occur in the file are zero.
  std::size_t features = 0;
  // LIBSVM: if every row has exactly the features 1 to k, the file is dense, and it is an error if k differs
  // from `features`. Otherwise the file is sparse.
  bool dense_shows_all = false;

  // The classes of a fitted model. Any other label is an error; the file need not contain all of them.
  std::optional<std::vector<std::string>> classes;

  // The classes of a table in another order than that of numbers: from the lowest to the highest. Must have all of them;
  // others are left out.
  std::vector<std::string> order;

  // false: labels are optional. A CSV table has none if it has exactly `features` columns, or if its header
  // has all expected features but not the label column. A LIBSVM line has none if it starts with a pair.
  bool labels_required = true;
  bool ignore_labels = false;  // skip the label column; y stays empty

  // CSV with a header: select these columns by name, in this order; other columns are ignored with a warning.
  // Without a header, columns are taken in file order.
  std::vector<std::string> expected_features;
  // The columns of a fitted model, one per feature; empty: all are numbers. No kind is found from the values then,
  // and a level that is not listed is the number of levels.
  std::optional<std::vector<Column>> expected_columns;

  int threads = 0;  // 0: all cores available to this process

  std::size_t expected_count() const {
    return expected_features.empty() ? features : expected_features.size();
  }
};

}  // namespace induce::detail
