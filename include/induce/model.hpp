// A fitted classifier: small, immutable, safe to share between threads.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <induce/columns.hpp>
#include <induce/explain.hpp>
#include <induce/report.hpp>
#include <induce/table.hpp>

namespace induce {

// For two classes there is one latent function, and each vector has one number per row. For C >= 3 classes there are C
// latent functions, and each vector has C numbers per row, row-major: those of row i begin at i * C.
struct Prediction {
  std::vector<double> probability;  // of the second of two classes, or of every class
  std::vector<double> mean;         // of the latent functions
  std::vector<double> variance;     // of the latent functions
};

// How many rows have a value of one column far outside those of the training data.
struct RowsOutside {
  std::size_t below = 0, above = 0;
};

// The names of the classes (of two, the second is the positive one) and, if known, of the features.
struct Names {
  std::vector<std::string> classes{"0", "1"};
  std::string label;                  // name of the label column; empty if it had none
  std::vector<std::string> features;  // empty, or one per feature
  std::string weight{};               // name of the weight column, or its index; empty: no weights
  std::vector<Column> columns{};      // empty: all features are numbers; otherwise one per feature
};

namespace detail {
struct ModelState;
}

class Model {
 public:
  explicit Model(std::shared_ptr<const detail::ModelState> state);

  // Throws an Error if the number of features differs from the model's, or if the result for a row is not finite.
  // NaN is a missing value: the prediction is less certain without it. threads = 0: all cores.
  Prediction predict(TableView X, int threads = 0) const;
  Prediction predict(SparseView X, int threads = 0) const;
  // Rows with a missing number in a column that had none in the training data: the model could not learn what it means.
  std::size_t rows_with_new_gaps(TableView X) const;

  // Rows with a number or date that is farther beyond the smallest or largest value of the training data than these are from
  // each other, by column. The model has not seen anything like it. All 0 if an earlier version of the library wrote the
  // model, or if it is sparse.
  std::vector<RowsOutside> rows_far_outside(TableView X) const;

  // Writes one file in safetensors layout, under a temporary name that is then renamed. Notes are free-form:
  // they go into the file's metadata and change no prediction. See docs/format.md for the format and its limits.
  void save(const std::string& path, const std::map<std::string, std::string>& notes = {}) const;
  static Model load(const std::string& path);
  // The same as bytes in memory, for example to send a model over a network.
  std::string to_bytes(const std::map<std::string, std::string>& notes = {}) const;
  static Model from_bytes(const std::string& bytes);

  std::size_t features() const;  // columns of a table
  // Fitted to a table that stayed sparse (induce/fit.hpp). Such a model takes no missing values and has no explanation.
  bool sparse() const;
  std::size_t inducing() const;
  const Names& names() const;
  const Theta& theta() const;
  const std::string& kernel() const;
  std::string likelihood() const;  // "logistic", "probit" or "softmax"
  std::size_t classes() const;     // names().classes.size()
  const std::string& method() const;
  const std::string& version() const;          // of the library that fitted the model
  std::string warp() const;                    // feature warp: "none" or "yeo-johnson"
  std::vector<double> warp_exponents() const;  // one per feature; 1 if it is not warped
  // m x (number of input names), row-major, in the user's units (of a sparse model, those of its directions). Levels of categories are inputs of their own, between 0
  // and 1 or a little beyond.
  std::vector<double> inducing_inputs() const;
  // The inputs of the kernel: the features, or, with categories or gaps, "age", "age (missing)", "work=Private", ...
  std::vector<std::string> input_names() const;
  // What has a length-scale of its own: the features, or, with categories or gaps, "age", "age (missing)", "work", ...
  std::vector<std::string> lengthscale_names() const;
  // Effects and importance over the training rows. nullptr if the fit was interrupted, or an earlier version of the
  // library wrote the model: then use explain() with rows.
  const Explanation* explanation() const;

  const detail::ModelState& state() const { return *state_; }

 private:
  std::shared_ptr<const detail::ModelState> state_;
};

}  // namespace induce
