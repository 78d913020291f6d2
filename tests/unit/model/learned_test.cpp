// What a model remembers for updates (version 10): the golden file, and hostile versions of it.
#include <functional>
#include <vector>

#include <induce/update.hpp>

#include "files.hpp"
#include "read/read.hpp"

namespace induce::test {
namespace {

const std::string updated = "version10_updated";

// Oracle: the predictions of the version that wrote the file.
TEST(LearnedFile, PredictsLikeItsWriterAndKeepsItsUpdates) {
  const Model model = Model::load(golden_path(updated + ".model"));
  ReadOptions options;
  options.features = model.features();
  options.expected_features = model.names().features;
  options.expected_columns = model.names().columns;
  options.label = "kind";
  options.ignore_labels = true;
  const Dataset probe = read_dataset(golden_path("probe_mixed.csv"), options);
  ReadOptions of_stored;
  of_stored.label = "label";
  of_stored.ignore_labels = true;
  const Dataset stored = read_dataset(golden_path(updated + ".csv"), of_stored);
  const Prediction now = model.predict(probe.view());
  ASSERT_EQ(stored.view().n, 12u);
  for (std::size_t i = 0; i < 12; ++i) {
    EXPECT_NEAR(now.probability(i, 1), stored.view().row(i)[1], 1e-10) << i;
    EXPECT_NEAR(now.mean[i], stored.view().row(i)[2], 1e-10) << i;
    EXPECT_NEAR(now.variance[i], stored.view().row(i)[3], 1e-10) << i;
  }
  EXPECT_EQ(rows_of_fit(model), 120);
  ASSERT_EQ(past_updates(model).size(), 1u);
  EXPECT_EQ(past_updates(model)[0].rows, 120);
  EXPECT_LT(past_updates(model)[0].kept, 1);
  EXPECT_EQ(model.explanation(), nullptr);
  EXPECT_EQ(Model::from_bytes(model.to_bytes()).to_bytes(), model.to_bytes());
}

TEST(LearnedFile, HostileNumbersAreRefused) {
  struct Case {
    const char* tensor;
    std::size_t at;
    double value;
    const char* part;
  };
  const std::vector<Case> cases{{"trained_rows", 0, 0, "no number of trained_rows"},
                                {"trained_rows", 0, -1, "no number of trained_rows"},
                                {"trained_rows", 0, NAN, ""},
                                {"class_weights", 0, 0, "class weight that is not positive"},
                                {"updates", 0, 0, "cannot have been"},
                                {"updates", 1, -1, "cannot have been"},
                                {"updates", 4, 0, "cannot have been"},
                                {"updates", 4, 1.5, "cannot have been"},
                                {"updates", 5, 0.5, "cannot have been"},
                                {"column_moments", 1, -1, "out of range"},
                                {"column_moments", 2, 2, "out of range"},
                                {"level_shares", 0, -0.1, "not between 0 and 1"}};
  for (const Case& each : cases) {
    SCOPED_TRACE(std::string(each.tensor) + ": " + each.part);
    TensorFile file = read_safetensors(golden_path(updated + ".model"));
    ASSERT_TRUE(file.tensors.contains(each.tensor));
    file.tensors[each.tensor].values[each.at] = each.value;
    expect_model_refused(safetensors_bytes(file), each.part);
  }
  for (const char* tensor : {"updates", "column_moments", "level_shares", "class_weights"}) {
    SCOPED_TRACE(tensor);
    TensorFile file = read_safetensors(golden_path(updated + ".model"));
    file.tensors[tensor].shape = {file.tensors[tensor].values.size() + 1};
    file.tensors[tensor].values.push_back(0.5);
    expect_model_refused(safetensors_bytes(file));
    file.metadata["format_version"] = "9";  // which knows none of them
    expect_model_refused(safetensors_bytes(file), "unexpected tensor");
  }
}

}  // namespace
}  // namespace induce::test
