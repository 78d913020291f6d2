// Model files with categories, dates and gaps: the golden files of versions 7 to 10, and hostile versions of them.
#include <functional>
#include <vector>

#include "files.hpp"
#include "read/read.hpp"

namespace induce::test {
namespace {

const std::string golden = "version8_mixed", without_ranges = "version7_mixed", with_terms = "version9_terms",
                  with_additive_part = "version10_additive";

Dataset probe_for(const Model& model) {
  ReadOptions options;
  options.features = model.features();
  options.expected_features = model.names().features;
  options.expected_columns = model.names().columns;
  options.known_label = "kind";
  options.label = "kind";
  options.ignore_labels = true;
  return read_dataset(golden_path("probe_mixed.csv"), options);
}

// Oracle: the predictions of the version that wrote the file. The last rows have a level and gaps that were not seen.
class MixedModel : public ::testing::TestWithParam<std::string> {};

TEST_P(MixedModel, PredictsLikeItsWriter) {
  const Model model = Model::load(golden_path(GetParam() + ".model"));
  const Dataset probe = probe_for(model);
  ReadOptions options;
  options.label = "label";
  options.ignore_labels = true;
  const Dataset stored = read_dataset(golden_path(GetParam() + ".csv"), options);
  ASSERT_EQ(probe.view().n, 12u);
  ASSERT_EQ(stored.view().n, 12u);
  const Prediction now = model.predict(probe.view());
  for (std::size_t i = 0; i < 12; ++i) {
    const double* want = stored.view().row(i);
    EXPECT_NEAR(now.probability(i, 1), want[1], 1e-10) << i;
    EXPECT_NEAR(now.mean[i], want[2], 1e-10) << i;
    EXPECT_NEAR(now.variance[i], want[3], 1e-10) << i;
  }
  EXPECT_EQ(model.rows_with_new_gaps(probe.view()), 2u);
  EXPECT_EQ(model.names().columns[0].levels,
            (std::vector<std::string>{"Bonn", "Kiel", "K\xC3\xB6ln", "Ulm"}));
  EXPECT_EQ(model.names().columns[3].kind, ColumnKind::date);
  ASSERT_TRUE(model.explanation());
  EXPECT_EQ(model.explanation()->effects[0].missing_mean.size(), 1u);
  EXPECT_EQ(Model::from_bytes(model.to_bytes()).to_bytes(), model.to_bytes());
}

INSTANTIATE_TEST_SUITE_P(Files, MixedModel,
                         ::testing::Values(golden, without_ranges, with_terms, with_additive_part),
                         [](const auto& file) { return file.param; });

// Oracle: the ages and dates of train_mixed.csv. A model without ranges, as of version 7, has no such rows.
TEST(MixedModelFile, KeepsTheRangesOfColumns) {
  const Model model = Model::load(golden_path(golden + ".model"));
  Dataset probe = probe_for(model);
  const auto count = [&](const Model& of) {
    std::size_t rows = 0;
    for (const RowsOutside& column : of.rows_far_outside(probe.view())) rows += column.below + column.above;
    return rows;
  };
  EXPECT_EQ(count(model), 0u);
  probe.X(0, 0) = 1e6;  // a level that is not known is not far
  probe.X(0, 1) = 1e6;  // age
  probe.X(1, 1) = -1e6;
  probe.X(2, 3) = 0;  // 1970-01-01
  const std::vector<RowsOutside> found = model.rows_far_outside(probe.view());
  EXPECT_EQ(found[1].above, 1u);
  EXPECT_EQ(found[1].below, 1u);
  EXPECT_EQ(found[3].below, 1u);
  EXPECT_EQ(count(model), 3u);
  EXPECT_EQ(count(Model::load(golden_path(without_ranges + ".model"))), 0u);
}

TEST(MixedModelFile, EveryTruncationIsRefused) {
  const std::string whole = golden_bytes(golden + ".model");
  for (std::size_t length = 0; length < whole.size(); length += 7)
    expect_model_refused(whole.substr(0, length));
}

TEST(MixedModelFile, HostileColumnsAreRefused) {
  struct Case {
    const char* tensor;
    std::function<void(Tensor&)> change;
    const char* part;
  };
  const auto first = [](double value) { return [value](Tensor& tensor) { tensor.values[0] = value; }; };
  const std::vector<Case> cases{
      {"column_order", first(0), "not an order of its columns"},
      {"column_order", first(9), "not an order of its columns"},
      {"column_order", first(0.5), "not an order of its columns"},
      {"column_gaps", first(0.5), "neither 0 nor 1"},
      {"column_gaps", first(0), "features but it has"},
      {"most_gaps", first(6), "not a number of columns"},
      {"most_gaps", first(-1), "not a number of columns"},
      {"level_counts", first(3), "do not match their lengths"},
      {"level_counts", first(1e18), "do not match their lengths"},
      {"level_features", first(4), "a level that a column does not have"},
      {"level_features", first(1), "out of order"},
      {"repeated_counts", first(1), "do not match their lengths"},
      {"repeated_values", [](Tensor& tensor) { std::swap(tensor.values[0], tensor.values[1]); },
       "out of order"},
      {"typical_values", [](Tensor& tensor) { std::swap(tensor.shape[0], tensor.shape[1]); }, "wrong shape"},
      {"effect_missing", [](Tensor& tensor) { tensor.shape = {15}; }, "wrong shape"},
      {"effect_missing", first(1e9), "outside its band"},
      {"column_ranges", first(1e9), "smallest value is larger than its largest"},
      {"column_ranges", [](Tensor& tensor) { std::swap(tensor.shape[0], tensor.shape[1]); }, "wrong shape"},
  };
  for (const Case& each : cases) {
    SCOPED_TRACE(std::string(each.tensor) + ": " + each.part);
    TensorFile file = read_safetensors(golden_path(golden + ".model"));
    ASSERT_TRUE(file.tensors.contains(each.tensor));
    each.change(file.tensors[each.tensor]);
    expect_model_refused(safetensors_bytes(file), each.part);
  }
  for (const char* tensor : {"column_order", "column_gaps", "most_gaps", "level_counts", "level_features",
                             "repeated_counts", "repeated_values", "typical_values"}) {
    SCOPED_TRACE(tensor);
    TensorFile file = read_safetensors(golden_path(golden + ".model"));
    file.tensors.erase(tensor);
    expect_model_refused(safetensors_bytes(file));
  }
}

TEST(MixedModelFile, HostileTextIsRefused) {
  const std::vector<std::array<std::string, 3>> cases{
      {"\"Kiel\"", "\"Bonn\"", "not in order"},
      {"\"category\"", "\"colour\"", "unknown kind"},
      {"\"category\"", "\"number\"", "levels of a column of numbers"},
      {"\"levels_of_column\":[\"4\"", "\"levels_of_column\":[\"9\"", "do not match"},
      {"\"levels_of_column\":[\"4\"", "\"levels_of_column\":[\"-4\"", "do not match"},
      {"\"levels_of_column\":[\"4\"", "\"levels_of_column\":[\"4\",\"0\"", "kinds of"},
  };
  for (const auto& [from, to, part] : cases) {
    SCOPED_TRACE(from + " -> " + to);
    TensorFile file = read_safetensors(golden_path(golden + ".model"));
    std::string& text = file.metadata["model"];
    const std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << text;
    text.replace(at, from.size(), to);
    expect_model_refused(safetensors_bytes(file), part);
  }
}

}  // namespace
}  // namespace induce::test
