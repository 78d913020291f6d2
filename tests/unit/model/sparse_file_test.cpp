// Files of models of sparse rows. Oracle: an Error that says what is wrong, and sane predictions of the valid one.
#include <limits>
#include <utility>
#include <vector>

#include "files.hpp"

namespace induce::test {
namespace {

// Two features of the columns 0, 2 and 3 of four.
TensorFile sparse_file() {
  TensorFile file = good_file();
  for (const char* name :
       {"effect_points", "effect_values", "effect_mean", "effect_lower", "effect_upper", "importance"})
    file.tensors.erase(name);
  file.tensors["typical_values"] = {{1, 2}, {0, 0}};
  file.tensors["most_gaps"] = {{1}, {0}};
  file.tensors["column_gaps"] = {{2}, {0, 0}};
  file.tensors["projection_width"] = {{1}, {4}};
  file.tensors["projection_columns"] = {{3}, {0, 2, 3}};
  file.tensors["projection"] = {{3, 2}, {1, 0, -0.5, 2, 0, 1}};
  file.metadata["format_version"] = "7";
  file.metadata["model"] =
      R"({"classes":["no","yes"],"features":["a","b","c","d"],"kernel":"matern52","likelihood":"logistic","label":"kind","method":"vi-newton"})";
  return file;
}

TEST(SparseFile, IsReadAndWrittenAgain) {
  const Model model = Model::from_bytes(safetensors_bytes(sparse_file()));
  EXPECT_TRUE(model.sparse());
  EXPECT_EQ(model.features(), 4U);
  EXPECT_EQ(model.input_names(), (std::vector<std::string>{"direction 1", "direction 2"}));
  const std::vector<double> row{3, 7, 1, 2};  // z = (2.5, 4)
  const Prediction p = model.predict(TableView{row.data(), 1, 4});
  expect_sane(p);
  TensorFile dense = sparse_file();
  for (const char* name : {"projection_width", "projection_columns", "projection"}) dense.tensors.erase(name);
  dense.metadata["model"] =
      R"({"classes":["no","yes"],"features":["a","b"],"kernel":"matern52","likelihood":"logistic","label":"kind","method":"vi-newton"})";
  const std::vector<double> z{2.5, 4};
  EXPECT_EQ(Model::from_bytes(safetensors_bytes(dense)).predict(TableView{z.data(), 1, 2}).mean, p.mean);
  EXPECT_EQ(Model::from_bytes(model.to_bytes()).to_bytes(), model.to_bytes());
}

TEST(SparseFile, BadNumbersAreRefused) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<std::pair<std::pair<const char*, Tensor>, const char*>> changes{
      {{"projection_width", {{1}, {0}}}, "projection_width"},
      {{"projection_width", {{1}, {1e18}}}, "projection_width"},
      {{"projection_width", {{1}, {2.5}}}, "projection_width"},
      {{"projection_width", {{2}, {4, 4}}}, "wrong shape"},
      {{"projection_width", {{1}, {3}}}, "a column that it does not have"},
      {{"projection_width", {{1}, {5}}}, "feature"},
      {{"projection_columns", {{3}, {0, 3, 2}}}, "do not increase"},
      {{"projection_columns", {{3}, {0, 2, 2}}}, "do not increase"},
      {{"projection_columns", {{3}, {-1, 2, 3}}}, "a column that it does not have"},
      {{"projection_columns", {{3}, {0, nan, 3}}}, "not finite"},
      {{"projection_columns", {{2}, {0, 3}}}, "wrong shape"},
      {{"projection", {{3, 2}, {1, 0, -0.5, 1e200, 0, 1}}}, "out of range"},
      {{"projection", {{2, 3}, {1, 0, -0.5, 2, 0, 1}}}, "wrong shape"},
      {{"projection", {{6}, {1, 0, -0.5, 2, 0, 1}}}, "wrong shape"},
      {{"column_order", {{2}, {0, 1}}}, ""},
      {{"effect_points", {{2}, {1, 3}}}, "only a table without one has"},
  };
  for (const auto& [change, why] : changes) {
    SCOPED_TRACE(change.first);
    TensorFile file = sparse_file();
    file.tensors[change.first] = change.second;
    expect_model_refused(safetensors_bytes(file), why);
  }
}

TEST(SparseFile, MissingTensorsAndOlderVersionsAreRefused) {
  for (const char* name : {"projection", "projection_columns", "projection_width", "typical_values"}) {
    SCOPED_TRACE(name);
    TensorFile file = sparse_file();
    file.tensors.erase(name);
    expect_model_refused(safetensors_bytes(file));
  }
  TensorFile file = sparse_file();
  file.metadata["format_version"] = "6";
  expect_model_refused(safetensors_bytes(file));
}

}  // namespace
}  // namespace induce::test
