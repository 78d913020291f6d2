// Reading a data file: CSV or LIBSVM text; plain, gzip, bzip2 or xz; a file, a pipe or "-" for standard
// input.
//
// Labels. If every label is a finite number, labels are compared as numbers ("+1", "1" and "1.0" are one
// class), named in their shortest form and sorted as numbers; else they are texts in bytewise order. There
// must be two.
//
// CSV. The delimiter is the tab if the first line has one outside quotes, else the semicolon, else the comma.
// Quotes as in RFC 4180; CRLF, a byte order mark and blank lines are accepted, and blanks around fields are
// dropped. The first line is a header if none of its features is a number and one is more than a missing
// value; or if it has the name given for the label or weight column, or all expected features; or if it
// numbers its columns in ascending order (as a data frame whose columns were never named) and calls the label
// "label", "target", "class" or "y".
//
// LIBSVM. `label index:value ...`, indices from 1 in ascending order; '#' starts a comment; a `qid:` after
// the label is ignored, as scikit-learn's reader does. The table is dense: what is not named is zero.
//
// Every error names the file, the physical line and, where there is one, the column. Missing values, NaN and
// infinities are errors. Of several rows that cannot be parsed the earliest is reported; whether the labels
// form two classes is asked only of a file whose rows can all be parsed.
#pragma once

#include <string>
#include <string_view>

#include "io/dataset.hpp"
#include "io/read_options.hpp"

namespace induce {

Dataset read_dataset(const std::string& path, const ReadOptions& options = {});

// The same of text in memory; `path` is what errors call it.
Dataset parse_dataset(std::string_view text, const std::string& path, const ReadOptions& options = {});

}  // namespace induce
