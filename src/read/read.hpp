// Reads a data file: CSV or LIBSVM text; plain, gzip, bzip2 or xz; a file, a pipe or "-" for standard input.
//
// Columns. What they are is found from their cells (schema.hpp) unless the options say so. A missing value is an
// empty cell or a marker such as NA (number.hpp), in a column of any kind.
//
// Labels. Which column has them: read_options.hpp. Rows without a label are left out. If every label is a finite number, labels are compared as numbers ("+1", "1" and "1.0" are one
// class), named in their shortest form and sorted as numbers; otherwise they are strings in bytewise order.
// There must be at least two classes.
//
// CSV. The delimiter is a tab if the first line has one outside quotes, else a semicolon, else a comma.
// Quotes follow RFC 4180; CRLF, a byte order mark and blank lines are accepted, blanks around fields are removed, and
// lines before the header that start with '#' are skipped. The first line is a header if none of its features is a number and at least one is not a missing
// value; or if it contains a column name that the options give, or all expected features; or if its features are
// integers in ascending order (as in a data frame without column names) and its label column is named "label",
// "target", "class", "y" or "outcome".
//
// LIBSVM. `label index:value ...`, indices from 1 in ascending order; '#' starts a comment; a `qid:` after
// the label is ignored, as in scikit-learn's reader. Omitted features are zero. A table with few and many of
// them stays sparse (rows/sparse_rows.hpp).
//
// Error messages name the file, the physical line and, if applicable, the column. Infinities are errors, and so are
// missing values and NaN in LIBSVM text. If several rows are invalid, the first one is reported: rows that cannot be
// split into cells, then cells that do not fit their column. The number of classes is checked last.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "read/dataset.hpp"
#include "read/read_options.hpp"

namespace induce::detail {

Dataset read_dataset(const std::string& path, const ReadOptions& options = {});

// The rows of several files, which must have the same columns.
Dataset read_dataset(const std::vector<std::string>& paths, const ReadOptions& options = {});

// The same for text in memory; `path` is its name in error messages.
Dataset parse_dataset(std::string_view text, const std::string& path, const ReadOptions& options = {});

struct StreamedTable {
  std::size_t rows = 0;  // in all blocks
  std::size_t rows_without_label = 0;
  std::vector<std::string> warnings;  // one line each
};

// The rows of files for a fitted model, block by block, in memory that does not depend on their number.
//
// The kinds and levels of its columns and its classes are known, so a block needs nothing of the rows after it. What is
// checked are the rules above, with two differences. An error is that of the first block that has one. And
// numbers with decimal commas must show their style early: if "1,234" may be either and only later blocks could tell, or if
// decimal commas come after a block of plain numbers, it is an error. LIBSVM text with more than 1,000 features may stay
// sparse and is one block.
//
// `options` must have expected columns (CSV) or features (LIBSVM). Calls `use` for every block, which has rows, labels and
// ids, the last one after all checks: a table of one block is used only if it has no fault. Throws an Error.
StreamedTable stream_rows(const std::vector<std::string>& paths, const ReadOptions& options,
                          const std::function<void(const Dataset&)>& use);

// The same for text in memory, such as a line of a stream; `name`: in error messages.
StreamedTable stream_text(std::string_view text, const std::string& name, const ReadOptions& options,
                          const std::function<void(const Dataset&)>& use);
// Whether the first line of a table for a model is a header and no row. Throws an Error if it fits the model as neither.
bool is_header(std::string_view line, const ReadOptions& options);

}  // namespace induce::detail
