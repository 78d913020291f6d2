// A fitted classifier: small, immutable, safe to share between threads.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <induce/report.hpp>
#include <induce/table.hpp>

namespace induce {

struct Prediction {
  std::vector<double> probability;  // of classes()[1]
  std::vector<double> mean;         // of the latent function
  std::vector<double> variance;     // of the latent function
};

// The two class names (index 1 is the positive class) and, where known, the features' names.
struct Names {
  std::array<std::string, 2> classes{"0", "1"};
  std::string label;                  // the label column's name; empty if it had none
  std::vector<std::string> features;  // empty, or one per feature
  std::string weight{};               // the weight column's name, its index if it had none; empty: no weights
};

namespace detail {
struct ModelState;
}

class Model {
 public:
  explicit Model(std::shared_ptr<const detail::ModelState> state);

  // Throws an Error when X has another number of features than the model, or a row leads to no finite result
  // (it holds a NaN). threads = 0: all cores.
  Prediction predict(TableView X, int threads = 0) const;

  // One file in safetensors layout, written to a temporary name and renamed. Notes are the caller's own: they
  // stand in the file's metadata and change no prediction. docs/format.md has the format and its limits.
  void save(const std::string& path, const std::map<std::string, std::string>& notes = {}) const;
  static Model load(const std::string& path);
  // The same as bytes in memory, for sending a model elsewhere.
  std::string to_bytes() const;
  static Model from_bytes(const std::string& bytes);

  std::size_t features() const;
  std::size_t inducing() const;
  const Names& names() const;
  const Theta& theta() const;
  const std::string& kernel() const;
  std::string likelihood() const;  // "logistic" or "probit"
  const std::string& method() const;
  const std::string& version() const;           // of the library that fitted it
  std::string warp() const;                     // of the features: "none" or "yeo-johnson"
  std::vector<double> warp_exponents() const;   // d; 1 where a feature is not warped
  std::vector<double> inducing_inputs() const;  // m x d, row after row, in the user's units

  const detail::ModelState& state() const { return *state_; }

 private:
  std::shared_ptr<const detail::ModelState> state_;
};

}  // namespace induce
