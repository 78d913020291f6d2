// Files written by earlier versions must stay readable. Oracle: the predictions of the version that wrote each
// file. Golden files are only added, never changed (docs/format.md).
#include <array>
#include <vector>

#include "read/read.hpp"
#include "files.hpp"

namespace induce::test {
namespace {

class Golden : public ::testing::TestWithParam<const char*> {};

// p_no, p_yes, latent_mean, latent_variance of each row; skips the label column.
Dataset stored_prediction(const std::string& name) {
  ReadOptions options;
  options.label = "label";
  options.labels_required = false;
  options.ignore_labels = true;
  return read_dataset(golden_path(name + ".csv"), options);
}

TEST_P(Golden, PredictsLikeItsWriter) {
  const std::string name = GetParam();
  const Model model = Model::load(golden_path(name + ".model"));
  const Dataset probe = read_dataset(golden_path("probe.csv"), {.label = "kind"}),
                stored = stored_prediction(name);
  ASSERT_EQ(probe.view().n, 12u);
  ASSERT_EQ(stored.view().n, 12u);
  ASSERT_EQ(stored.names.features[1], "p_yes");
  EXPECT_EQ(model.names().classes, (std::vector<std::string>{"no", "yes"}));
  EXPECT_EQ(model.names().features, probe.names.features);
  EXPECT_EQ(model.names().label, "kind");
  const Prediction predicted = model.predict(probe.view());
  for (std::size_t i = 0; i < 12; ++i) {
    const std::array<double, 4> now{predicted.probability(i, 0), predicted.probability(i, 1),
                                    predicted.mean[i], predicted.variance[i]};
    for (std::size_t k = 0; k < 4; ++k)
      EXPECT_NEAR(now[k], stored.view().row(i)[k], 1e-11 * std::fabs(stored.view().row(i)[k]))
          << name << ", row " << i << ", " << stored.names.features[k];
  }
  EXPECT_EQ(Model::from_bytes(model.to_bytes()).predict(probe.view()).probabilities, predicted.probabilities);
}

INSTANTIATE_TEST_SUITE_P(Files, Golden,
                         ::testing::Values("version1", "version2", "version2_weighted", "version3",
                                           "version3_weighted", "version4", "version4_weighted",
                                           "version4_probit", "version5", "version5_weighted"),
                         [](const auto& file) { return std::string(file.param); });

TEST(Versions, KeepTheirFeatures) {
  EXPECT_EQ(Model::load(golden_path("version1.model")).warp(), "none");
  EXPECT_EQ(Model::load(golden_path("version2.model")).warp(), "yeo-johnson");
  EXPECT_EQ(Model::load(golden_path("version1.model")).warp_exponents(), (std::vector<double>{1, 1, 1}));
  EXPECT_NE(Model::load(golden_path("version2.model")).warp_exponents(), (std::vector<double>{1, 1, 1}));
  EXPECT_EQ(Model::load(golden_path("version1.model")).version(), "0.1.0");
  EXPECT_EQ(Model::load(golden_path("version2_weighted.model")).names().weight, "count");
  EXPECT_FALSE(read_safetensors(golden_path("version2.model")).hashed);
  EXPECT_TRUE(read_safetensors(golden_path("version3.model")).hashed);
}

// Oracle: the curves as the version that wrote the file printed them.
TEST(Versions, FiveKeepsItsExplanation) {
  EXPECT_EQ(Model::load(golden_path("version4.model")).explanation(), nullptr);
  const Model model = Model::load(golden_path("version5.model"));
  ASSERT_TRUE(model.explanation());
  ReadOptions options;
  options.label = "feature";
  options.labels_required = false;
  options.ignore_labels = true;
  const Dataset stored = read_dataset(golden_path("version5_effects.csv"), options);
  std::size_t row = 0;
  for (const Effect& effect : model.explanation()->effects)
    for (std::size_t g = 0; g < effect.values.size(); ++g, ++row) {
      ASSERT_LT(row, stored.view().n);
      const double* want = stored.view().row(row);
      EXPECT_EQ(effect.values[g], want[0]);
      EXPECT_EQ(effect.mean[g], want[1]);
      EXPECT_EQ(effect.lower[g], want[2]);
      EXPECT_EQ(effect.upper[g], want[3]);
    }
  EXPECT_EQ(row, stored.view().n);
}

TEST(Versions, ErrorForNewerVersionNamesBothVersions) {
  TensorFile file = read_safetensors(golden_path("version3.model"));
  file.metadata["format_version"] = "11";
  const std::string why = refusal_of([&] { Model::from_bytes(safetensors_bytes(file)); });
  expect_part(why, "format version is 11");
  expect_part(why, "reads versions 1 to 10");
}

}  // namespace
}  // namespace induce::test
