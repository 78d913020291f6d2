// Model files. Whatever the bytes: an Error, or a model that predicts probabilities, finite means and
// variances that are not negative (or says in an Error that it cannot), and that is the same model when
// written and read again.
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <induce/error.hpp>
#include <induce/model.hpp>

#include "support/require.hpp"
#include "support/right_hash.hpp"

namespace {

using induce::fuzz::require;

induce::Prediction predict(const induce::Model& model) {
  constexpr std::array<double, 7> everywhere{0, 1, -1, 1e-300, 1e10, -1e200, 1.7e308};
  std::vector<double> rows;
  for (const double x : everywhere)
    for (std::size_t f = 0; f < model.features(); ++f) rows.push_back(f % 2 ? 1 - x : x);
  return model.predict({rows.data(), everywhere.size(), model.features()}, 1);
}

void try_model(const std::string& bytes) {
  try {
    const induce::Model model = induce::Model::from_bytes(bytes);
    require(model.names().classes[0] != model.names().classes[1], "classes have different names");
    require(model.inducing_inputs().size() == model.inducing() * model.features(), "all inputs are there");
    const induce::Model again = induce::Model::from_bytes(model.to_bytes());
    const induce::Prediction first = predict(model), second = predict(again);
    for (const double p : first.probability) require(p >= 0 && p <= 1, "a probability is one");
    for (const double mean : first.mean) require(std::isfinite(mean), "a mean is finite");
    for (const double S2 : first.variance)
      require(S2 >= 0 && std::isfinite(S2), "a variance is not negative");
    require(first.probability == second.probability && first.mean == second.mean &&
                first.variance == second.variance,
            "written and read again it predicts the same bits");
  } catch (const induce::Error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  try_model(bytes);
  const std::string mended = induce::fuzz::with_right_hash(bytes);
  if (mended != bytes) try_model(mended);
  return 0;
}
