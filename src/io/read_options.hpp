// How a data file is to be read; every default lets the file speak for itself.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace induce {

enum class Format { automatic, csv, libsvm };

struct ReadOptions {
  Format format =
      Format::automatic;  // automatic: from the first lines; the file's extension only if they are silent

  // CSV: the label column, by its name in the header or else by 0-based index, negative from the end. Empty:
  // the column named "label", "target", "class" or "y" (in any case) if the header has exactly one such, else
  // the last.
  std::string label;
  // The label column's name in an earlier file: where a header has it, it goes before `label`, which may be
  // an index that holds for the earlier file only.
  std::string known_label;

  // CSV: the column of the rows' weights, which is no feature, named as the label column is; empty: none.
  // Each weight must be a finite number of at least 0.
  std::string weight;
  // false: the file may come without that column. It is there if the header has its name; where names are not
  // known, if it is an index and there is one column more than features and label.
  bool weights_required = true;
  bool ignore_weights = false;  // whatever the weight column holds, weights stay empty

  // The number of features d that the table must have; 0: what the file has. LIBSVM: no index may be larger,
  // and features that the file never names are zero.
  std::size_t features = 0;
  // LIBSVM: a file whose rows all name the features 1 to k and no others has k features, and it is an error
  // if that is not `features`; else it is taken for sparse.
  bool dense_shows_all = false;

  // The classes of a fitted model: any other label is then an error, and the file may hold only one of the
  // two.
  std::optional<std::array<std::string, 2>> classes;

  // false: the file may come without labels. A
  // CSV table has none if it has exactly `features` columns, or if its header has all the expected features
  // but not the label column; a LIBSVM line has none if it starts with a pair.
  bool labels_required = true;
  bool ignore_labels = false;  // whatever the label column holds, y stays empty

  // CSV with a header: take these columns by name, in this order. Columns beyond these and the label are
  // ignored if the label column is there, and an error if it is not. Without a header columns are taken in
  // the file's order.
  std::vector<std::string> expected_features;

  int threads = 0;  // 0: all cores that this process may use

  std::size_t expected_count() const {
    return expected_features.empty() ? features : expected_features.size();
  }
};

}  // namespace induce
