// A fitted classifier: small, immutable, safe to share between threads.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <induce/api.hpp>
#include <induce/columns.hpp>
#include <induce/explain.hpp>
#include <induce/report.hpp>
#include <induce/table.hpp>

namespace induce {

// Matrices are row-major. Two classes have one latent function, f of the second class; C >= 3 classes have one each, or, if they
// are ordered (likelihood "ordinal"), one in all, which grows towards the last class.
struct Prediction {
  std::size_t rows = 0, classes = 2;
  std::vector<double> probabilities;   // rows x classes; a row adds up to 1
  std::vector<double> mean, variance;  // rows x functions()

  std::size_t functions() const { return rows == 0 ? 1 : mean.size() / rows; }
  double probability(std::size_t row, std::size_t c) const { return probabilities[row * classes + c]; }
  std::vector<double> probabilities_of(std::size_t c) const {  // one per row
    std::vector<double> column;
    for (std::size_t row = 0; row < rows; ++row) column.push_back(probability(row, c));
    return column;
  }
};

// How many rows have a value of one column far outside those of the training data.
struct RowsOutside {
  std::size_t below = 0, above = 0;
};

// What the classes and, if known, the columns are called.
struct Names {
  std::vector<std::string> classes{};   // of two, the second is the positive one; empty: "0", "1", ...
  std::string label{};                  // name of the label column; empty if it had none
  std::vector<std::string> features{};  // one per feature; empty: "feature 0", "feature 1", ...
  std::string weight{};                 // name of the weight column, or its index; empty: no weights
  std::vector<Column> columns{};        // empty: all features are numbers; otherwise one per feature
};

class Model;

namespace detail {
struct ModelState;
const ModelState& state_of(const Model& model);
Model model_with(std::shared_ptr<const ModelState> state);
}  // namespace detail

class INDUCE_API Model {
 public:
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
  std::string likelihood() const;  // "logistic", "probit", "softmax" or "ordinal"
  std::size_t classes() const;     // names().classes.size()
  bool ordered() const;            // likelihood() == "ordinal": one latent function for more than two classes
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
  // Effects and importance over the training rows. nullptr if the fit was interrupted, the model was updated, or an earlier
  // version of the library wrote it: then use explain() with rows.
  const Explanation* explanation() const;

 private:
  explicit Model(std::shared_ptr<const detail::ModelState> state);
  friend const detail::ModelState& detail::state_of(const Model& model);
  friend Model detail::model_with(std::shared_ptr<const detail::ModelState> state);

  std::shared_ptr<const detail::ModelState> state_;
};

}  // namespace induce
