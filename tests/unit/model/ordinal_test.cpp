// Model files of ordered classes. Oracle: the format (docs/format.md).
#include "files.hpp"

#include <induce/metrics.hpp>

#include "likelihood/likelihood.hpp"
#include "read/read.hpp"

namespace induce::test {
namespace {

TensorFile good_ordinal() {
  TensorFile file = good_file();
  file.tensors["thresholds"] = {{2}, {-1, 0.5}};
  file.metadata["format_version"] = "10";
  file.metadata["model"] =
      R"({"classes":["low","middle","high"],"features":["a","b"],"kernel":"matern52","likelihood":"ordinal","label":"kind","method":"vi-newton"})";
  return file;
}

void expect_refused(const TensorFile& file, const std::string& part) {
  expect_model_refused(safetensors_bytes(file), part);
}

TEST(OrdinalFile, IsReadAndWrittenWithItsThresholds) {
  const Model model = Model::from_bytes(safetensors_bytes(good_ordinal()));
  EXPECT_EQ(model.likelihood(), "ordinal");
  EXPECT_TRUE(model.ordered());
  EXPECT_EQ(model.theta().values("thresholds"), (std::vector<double>{-1, 0.5}));
  const double row[] = {0.3, -1};
  const Prediction got = model.predict(TableView{row, 1, 2});
  EXPECT_EQ(got.classes, 3u);
  EXPECT_EQ(got.functions(), 1u);
  double want[3];
  likelihood("ordinal", 3)
      .given(Vector{{-1, 0.5}})
      ->probabilities(got.mean.data(), got.variance.data(), 1, want);
  for (std::size_t c = 0; c < 3; ++c) EXPECT_EQ(got.probability(0, c), want[c]);
  expect_sane(predict_everywhere(model));
  EXPECT_EQ(Model::from_bytes(model.to_bytes()).predict(TableView{row, 1, 2}).probabilities,
            got.probabilities);
}

// Written by the program that introduced version 10: train_classes.csv, no < maybe < yes, 8 inducing inputs, defaults else.
TEST(OrdinalFile, GoldenPredictsLikeItsWriter) {
  const Model model = Model::load(golden_path("version10_ordinal.model"));
  const Dataset probe = read_dataset(golden_path("probe.csv"), {.label = "kind"});
  ReadOptions options;
  options.label = "label";
  options.labels_required = false;
  options.ignore_labels = true;
  const Dataset stored = read_dataset(golden_path("version10_ordinal.csv"), options);
  EXPECT_EQ(model.names().classes, (std::vector<std::string>{"no", "maybe", "yes"}));
  ASSERT_EQ(stored.view().n, 12u);
  ASSERT_EQ(stored.view().d, 6u);
  const Prediction got = model.predict(probe.view());
  const std::vector<double> levels = expected_levels(got.probabilities, 3);
  for (std::size_t i = 0; i < 12; ++i) {
    const double* want = stored.view().row(i);
    for (std::size_t c = 0; c < 3; ++c)
      EXPECT_NEAR(got.probability(i, c), want[c], 1e-11 * want[c]) << i << c;
    EXPECT_NEAR(levels[i], want[3], 1e-11) << i;
    EXPECT_NEAR(got.mean[i], want[4], 1e-11 * (1 + std::fabs(want[4]))) << i;
    EXPECT_NEAR(got.variance[i], want[5], 1e-11 * (1 + want[5])) << i;
  }
}

TEST(OrdinalFile, HostileThresholdsAreRefused) {
  for (const std::vector<double>& values : {std::vector<double>{0.5, -1},
                                            {0.5, 0.5},
                                            {NAN, 1},
                                            {0, NAN},
                                            {0, INFINITY},
                                            {-INFINITY, 0},
                                            {0, 1e-300}}) {
    TensorFile file = good_ordinal();
    file.tensors["thresholds"] = {{2}, values};
    expect_refused(file, "");
  }
  TensorFile file = good_ordinal();
  file.tensors["thresholds"] = {{2}, {0.5, -1}};
  expect_refused(file, "thresholds that do not increase");
  file.tensors["thresholds"] = {{3}, {-1, 0, 1}};
  expect_refused(file, "thresholds");
  file.tensors["thresholds"] = {{2, 1}, {-1, 0.5}};
  expect_refused(file, "thresholds");
  file.tensors.erase("thresholds");
  expect_refused(file, "thresholds");
}

TEST(OrdinalFile, OnlyOrderedClassesHaveThresholds) {
  TensorFile file = good_file();
  file.tensors["thresholds"] = {{1}, {0}};
  file.metadata["format_version"] = "10";
  expect_refused(file, "thresholds");
}

TEST(OrdinalFile, NeedsItsVersion) {
  TensorFile file = good_ordinal();
  file.metadata["format_version"] = "9";
  expect_refused(file, "before version 10");
}

}  // namespace
}  // namespace induce::test
