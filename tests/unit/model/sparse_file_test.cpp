// Files of models of sparse rows. Oracle: an Error that says what is wrong, and sane predictions of the valid one.
#include <limits>
#include <utility>
#include <vector>

#include "files.hpp"

namespace induce::test {
namespace {

// Two inducing inputs in four columns: (1, 0, 0, 2) and (0, 0, 1, 0).
TensorFile sparse_file() {
  TensorFile file = good_file();
  for (const char* name : {"warp_origin", "warp_unit", "warp_exponent", "effect_points", "effect_values", "effect_mean",
                           "effect_lower", "effect_upper", "importance"})
    file.tensors.erase(name);
  file.tensors["inducing_inputs"] = {{2, 2}, {0, 6, 6, 0}};
  file.tensors["feature_shift"] = {{2}, {0, 0}};
  file.tensors["feature_scale"] = {{2}, {1, 1}};
  file.tensors["kernel.lengthscales"] = {{1}, {2}};
  file.tensors["pool_starts"] = {{3}, {0, 2, 3}};
  file.tensors["pool_columns"] = {{3}, {0, 3, 2}};
  file.tensors["pool_values"] = {{3}, {1, 2, 1}};
  file.tensors["pool_width"] = {{1}, {4}};
  file.tensors["column_scales"] = {{4}, {1, 1, 0.5, 2}};
  file.metadata["format_version"] = "7";
  file.metadata["model"] =
      R"({"classes":["no","yes"],"features":["a","b","c","d"],"kernel":"matern52","likelihood":"logistic","label":"kind","method":"vi-newton"})";
  return file;
}

TEST(SparseFile, IsReadAndWrittenAgain) {
  const Model model = Model::from_bytes(safetensors_bytes(sparse_file()));
  EXPECT_TRUE(model.sparse());
  EXPECT_EQ(model.features(), 4U);
  EXPECT_EQ(model.inducing_inputs(), (std::vector<double>{1, 0, 0, 4, 0, 0, 0.5, 0}));
  expect_sane(predict_everywhere(model));
  EXPECT_EQ(Model::from_bytes(model.to_bytes()).to_bytes(), model.to_bytes());
  TensorFile without = sparse_file();
  without.tensors.erase("column_scales");
  expect_sane(predict_everywhere(Model::from_bytes(safetensors_bytes(without))));
}

TEST(SparseFile, BadNumbersAreRefused) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<std::pair<std::pair<const char*, Tensor>, const char*>> changes{
      {{"pool_width", {{1}, {0}}}, "pool_width"},
      {{"pool_width", {{1}, {1e18}}}, "pool_width"},
      {{"pool_width", {{1}, {nan}}}, "pool_width"},
      {{"pool_width", {{2}, {4, 4}}}, "wrong shape"},
      {{"pool_width", {{1}, {3}}}, "a column that it does not have"},
      {{"pool_width", {{1}, {5}}}, "not one scale for each column"},
      {{"pool_starts", {{3}, {0, 3, 2}}}, "do not increase"},
      {{"pool_starts", {{3}, {0, 2, 4}}}, "do not increase"},
      {{"pool_starts", {{3}, {0, nan, 3}}}, "not finite"},
      {{"pool_starts", {{3}, {1, 2, 3}}}, "do not match"},
      {{"pool_starts", {{3}, {0, 2, 2}}}, "do not match"},
      {{"pool_starts", {{2}, {0, 3}}}, "wrong shape"},
      {{"pool_columns", {{3}, {3, 0, 2}}}, "within a row"},
      {{"pool_columns", {{3}, {0, 0, 2}}}, "within a row"},
      {{"pool_columns", {{3}, {0, -1, 2}}}, "a column that it does not have"},
      {{"pool_columns", {{3}, {0, 2.5, 2}}}, "a column that it does not have"},
      {{"pool_columns", {{2}, {0, 3}}}, "wrong shape"},
      {{"pool_columns", {{1, 3}, {0, 3, 2}}}, "wrong shape"},
      {{"pool_values", {{3}, {1, nan, 1}}}, "not finite"},
      {{"pool_values", {{3}, {1, 1e200, 1}}}, "out of range"},
      {{"pool_values", {{4}, {1, 2, 1, 1}}}, "wrong shape"},
      {{"column_scales", {{4}, {1, 1, 0, 1}}}, "scale that is not positive"},
      {{"column_scales", {{3}, {1, 1, 1}}}, "not one scale"},
      {{"inducing_inputs", {{2, 2}, {0, -6, 6, 0}}}, "too far away"},
      {{"inducing_inputs", {{2, 3}, {0, 6, 1, 6, 0, 1}}}, "only a dense table has"},
      {{"warp_exponent", {{2}, {1, 1}}}, "only a dense table has"},
      {{"kernel.lengthscales", {{2}, {1, 1}}}, "wrong shape"},
  };
  for (const auto& [change, why] : changes) {
    SCOPED_TRACE(change.first);
    TensorFile file = sparse_file();
    file.tensors[change.first] = change.second;
    expect_model_refused(safetensors_bytes(file), why);
  }
}

TEST(SparseFile, MissingTensorsAndOlderVersionsAreRefused) {
  for (const char* name : {"pool_starts", "pool_columns", "pool_values", "pool_width"}) {
    SCOPED_TRACE(name);
    TensorFile file = sparse_file();
    file.tensors.erase(name);
    expect_model_refused(safetensors_bytes(file));
  }
  TensorFile file = sparse_file();
  file.metadata["format_version"] = "6";
  expect_model_refused(safetensors_bytes(file));
  file = sparse_file();
  file.metadata["model"] =
      R"({"classes":["no","yes"],"features":[],"kernel":"se+additive","likelihood":"logistic","label":"","method":"vi-newton"})";
  expect_model_refused(safetensors_bytes(file), "additive");
}

}  // namespace
}  // namespace induce::test
