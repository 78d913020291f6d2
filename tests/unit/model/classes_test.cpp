// Model files with more than two classes. Oracles: the same bits before and after; an Error that says what is wrong with a
// file that no fit produces; the predictions stored with the golden file.
#include <functional>
#include <limits>
#include <vector>

#include <induce/fit.hpp>

#include "files.hpp"
#include "read/read.hpp"
#include "linalg/random.hpp"
#include "unit/read/temporary.hpp"

namespace induce::test {
namespace {

const std::string text_of_three =
    R"({"classes":["a","b","c"],"features":["x","z"],"kernel":"se","likelihood":"softmax","label":"kind","method":"vi-newton"})";

// Three classes, two inducing inputs, two features, an effect of one and three points.
TensorFile good_class_file() {
  TensorFile file = good_file();
  for (const char* name : {"warp_origin", "warp_unit", "warp_exponent"}) file.tensors.erase(name);
  file.tensors["mean"] = {{3}, {-0.2, 0.1, 0.3}};
  file.tensors["class_scale"] = {{3}, {1, 0.5, 2}};
  file.tensors["posterior_mean"] = {{3, 2}, {1, -1, 0, 0.5, 2, 0}};
  file.tensors["posterior_shrink"] = {{3, 2, 2},
                                      {0.9, 0.05, 0.05, 0.8, 0.5, 0, 0, 0.5, 0.3, -0.1, -0.1, 0.2}};
  file.tensors["effect_mean"] = {{3, 4}, {0, -0.5, 0, 0.5, 0, 0, 0, 0, 0, 0.5, 0, -0.5}};
  file.tensors["effect_lower"] = {{3, 4}, {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1}};
  file.tensors["effect_upper"] = {{3, 4}, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}};
  file.metadata["format_version"] = "6";
  file.metadata["model"] = text_of_three;
  return file;
}

std::string with_classes(const std::vector<std::string>& names, const std::string& likelihood = "softmax") {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "\"" : ",\"") + name + "\"";
  return R"({"classes":[)" + list + R"(],"features":["x","z"],"kernel":"se","likelihood":")" + likelihood +
         R"(","label":"kind","method":"vi-newton"})";
}

std::vector<std::string> numbered(std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < count; ++k) names.push_back("c" + std::to_string(k));
  return names;
}

TEST(ClassFile, TheValidOneIsAccepted) {
  const Model model = Model::from_bytes(safetensors_bytes(good_class_file()));
  EXPECT_EQ(model.classes(), 3U);
  EXPECT_EQ(model.likelihood(), "softmax");
  EXPECT_EQ(model.names().classes, (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(model.theta().values("class_scales"), (std::vector<double>{1, 0.5, 2}));
  const Prediction got = predict_everywhere(model);
  expect_sane(got);
  ASSERT_EQ(got.probabilities.size(), 21U);
  for (std::size_t i = 0; i < 21; i += 3)
    EXPECT_NEAR(got.probabilities[i] + got.probabilities[i + 1] + got.probabilities[i + 2], 1, 1e-12);
  // Far from all inputs: the prior of each class.
  EXPECT_NEAR(got.mean[12], -0.2, 1e-12);
  EXPECT_NEAR(got.variance[14], 4 * (1.5 * 1.5 + 0.1 * 0.1), 1e-12);
  ASSERT_TRUE(model.explanation());
  EXPECT_EQ(model.explanation()->effects[1].mean, (std::vector<double>{-0.5, 0, 0.5, 0, 0, 0, 0.5, 0, -0.5}));
}

TEST(ClassFile, HostileOnesAreRefused) {
  struct Spoiled {
    const char* part;
    std::function<void(TensorFile&)> spoil;
  };
  const auto text = [](const std::string& model) {
    return [model](TensorFile& f) { f.metadata["model"] = model; };
  };
  const auto number = [](const char* name, std::size_t at, double value) {
    return [=](TensorFile& f) { f.tensors.at(name).values.at(at) = value; };
  };
  const auto shape = [](const char* name, std::vector<std::size_t> sizes) {
    return [=](TensorFile& f) {
      std::size_t count = 1;
      for (const std::size_t size : sizes) count *= size;
      f.tensors[name] = {sizes, std::vector<double>(count, 0.5)};
    };
  };
  auto doubled = numbered(1000);
  doubled[999] = doubled[7];
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<Spoiled> all{
      {"'class_scale' is missing", [](TensorFile& f) { f.tensors.erase("class_scale"); }},
      {"'class_scale' has the wrong shape", shape("class_scale", {2})},
      {"'class_scale' has the wrong shape", shape("class_scale", {4})},
      {"'class_scale' has the wrong shape", shape("class_scale", {3, 1})},
      {"'mean' has the wrong shape", shape("mean", {1})},
      {"'mean' has the wrong shape", shape("mean", {2})},
      {"'posterior_mean' has the wrong shape", shape("posterior_mean", {2})},
      {"'posterior_mean' has the wrong shape", shape("posterior_mean", {6})},
      {"'posterior_mean' has the wrong shape", shape("posterior_mean", {2, 3})},
      {"'posterior_mean' has the wrong shape", shape("posterior_mean", {0, 2})},
      {"'posterior_shrink' has the wrong shape", shape("posterior_shrink", {2, 2})},
      {"'posterior_shrink' has the wrong shape", shape("posterior_shrink", {2, 2, 3})},
      {"'posterior_shrink' has the wrong shape", shape("posterior_shrink", {3, 4})},
      {"'posterior_shrink' has the wrong shape", shape("posterior_shrink", {4, 2, 2})},
      {"'effect_mean' has the wrong shape", shape("effect_mean", {4})},
      {"'effect_lower' has the wrong shape", shape("effect_lower", {12})},
      {"'effect_upper' has the wrong shape", shape("effect_upper", {4, 3})},
      {"'effect_values' has the wrong shape", shape("effect_values", {3, 4})},
      {"it is for three or more classes", text(with_classes({"a", "b"}))},
      {"unexpected tensor 'class_scale'",
       [](TensorFile& f) {
         f = good_file();
         f.tensors["class_scale"] = {{1}, {1}};
         f.metadata["format_version"] = "6";
       }},
      {"it is for two classes", text(with_classes({"a", "b", "c"}, "logistic"))},
      {"it is for two classes", text(with_classes({"a", "b", "c"}, "probit"))},
      {"has the wrong shape", text(with_classes({"a", "b", "c", "d"}))},
      {"has 1 classes", text(with_classes({"a"}))},
      {"has 0 classes", text(with_classes({}))},
      {"too many classes", text(with_classes(numbered(1001)))},
      {"two classes with the same name, 'b'", text(with_classes({"a", "b", "b"}))},
      {"two classes with the same name, 'c7'", text(with_classes(doubled))},
      {"cannot have more than two classes", [](TensorFile& f) { f.metadata["format_version"] = "5"; }},
      {"cannot have more than two classes", [](TensorFile& f) { f.metadata["format_version"] = "4"; }},
      {"", [](TensorFile& f) { f.metadata["format_version"] = "3"; }},
      {"", [](TensorFile& f) { f.metadata["format_version"] = "1"; }},
      {"class scale out of range", number("class_scale", 2, 0)},
      {"class scale out of range", number("class_scale", 0, -1)},
      {"not finite", number("class_scale", 1, nan)},
      {"class scale out of range", number("class_scale", 1, 1e200)},
      {"not finite", number("mean", 2, nan)},
      {"mean out of range", number("mean", 1, 1e200)},
      {"not symmetric", number("posterior_shrink", 9, 0.3)},
      {"not finite", number("posterior_shrink", 10, nan)},
      {"not finite", number("posterior_mean", 5, nan)},
      {"not finite", number("posterior_shrink", 11, HUGE_VAL)},
      {"outside its band", number("effect_mean", 11, 3)},
      {"not finite", number("effect_upper", 11, HUGE_VAL)},
      {"number of points is wrong", number("effect_points", 1, 12)},
      {"number of points is wrong", number("effect_points", 0, 2)},
  };
  for (std::size_t k = 0; k < all.size(); ++k) {
    SCOPED_TRACE(std::to_string(k) + ": " + all[k].part);
    TensorFile file = good_class_file();
    all[k].spoil(file);
    expect_model_refused(safetensors_bytes(file), all[k].part);
  }
}

TEST(ClassFile, EveryTruncationIsRefused) {
  const std::string whole = safetensors_bytes(good_class_file());
  for (std::size_t length = 0; length < whole.size(); ++length) {
    SCOPED_TRACE(length);
    expect_model_refused(whole.substr(0, length));
  }
}

// Finite but absurd numbers: predictions are sane, or the row is rejected.
TEST(ClassFile, AbsurdNumbersAreHarmless) {
  const double absurd[] = {0, -1, 1e-300, 1e-10, 50, 1e6, 1e15, 1e100, -1e140, 1e149};
  Random random(2);
  int predicted = 0;
  for (int trial = 0; trial < 400; ++trial) {
    TensorFile file = good_class_file();
    for (int change = 0; change < 3; ++change) {
      auto tensor = std::next(file.tensors.begin(), static_cast<long>(random.below(file.tensors.size())));
      std::vector<double>& values = tensor->second.values;
      values[random.below(values.size())] = absurd[random.below(std::size(absurd))];
    }
    try {
      expect_sane(predict_everywhere(Model::from_bytes(safetensors_bytes(file))));
      ++predicted;
    } catch (const Error&) {
    }
  }
  EXPECT_GT(predicted, 20);
}

TEST(ClassFile, AThousandClasses) {
  TensorFile file = good_class_file();
  for (const char* name :
       {"effect_points", "effect_values", "effect_mean", "effect_lower", "effect_upper", "importance"})
    file.tensors.erase(name);
  file.metadata["model"] = with_classes(numbered(1000));
  file.tensors["mean"] = {{1000}, std::vector<double>(1000, 0)};
  file.tensors["class_scale"] = {{1000}, std::vector<double>(1000, 1)};
  file.tensors["posterior_mean"] = {{1000, 2}, std::vector<double>(2000, 0)};
  file.tensors["posterior_shrink"] = {{1000, 2, 2}, std::vector<double>(4000, 0)};
  const Prediction got = predict_everywhere(Model::from_bytes(safetensors_bytes(file)));
  for (const double p : got.probabilities) EXPECT_NEAR(p, 1e-3, 1e-12) << "by symmetry";
}

class ClassModels : public TemporaryFiles {};

TEST_F(ClassModels, SavedAndLoadedPredictTheSameBits) {
  Random random(6);
  std::vector<double> x;
  std::vector<int> y;
  for (int i = 0; i < 90; ++i) {
    x.insert(x.end(), {random.normal() + i % 3, std::exp(random.normal())});
    y.push_back(i % 3);
  }
  Options options;
  options.inducing = 9;
  options.warp = Warp::yeo_johnson;
  options.kernel = "se+linear";
  options.max_iter = 15;
  Names names;
  names.classes = {"first", "with, comma", "\xc3\xa9t\xc3\xa9"};
  const TableView view{x.data(), y.size(), 2};
  const Model model = fit(view, y, options, {}, names).model;
  model.save(path("three.model"));
  const Model loaded = Model::load(path("three.model"));
  const Prediction before = model.predict(view), after = loaded.predict(view);
  EXPECT_EQ(before.probabilities, after.probabilities);
  EXPECT_EQ(before.mean, after.mean);
  EXPECT_EQ(before.variance, after.variance);
  EXPECT_EQ(loaded.names().classes, names.classes);
  EXPECT_EQ(loaded.likelihood(), "softmax");
  EXPECT_TRUE(loaded.to_bytes() == model.to_bytes());
  EXPECT_EQ(loaded.theta().values("class_scales"), model.theta().values("class_scales"));
}

TEST_F(ClassModels, DuplicateNamesAreNotSaved) {
  TensorFile file = good_class_file();
  const Model model = Model::from_bytes(safetensors_bytes(file));
  EXPECT_EQ(model.names().classes.size(), 3U);
  std::vector<double> x{0, 1, 2, 3, 4, 5};
  std::vector<int> y{0, 1, 2, 0, 1, 2};
  Options options;
  options.inducing = 2;
  options.max_iter = 2;
  Names names;
  names.classes = {"a", "b", "a"};
  std::string why;
  try {
    fit({x.data(), 6, 1}, y, options, {}, names).model.save(path("twice.model"));
  } catch (const Error& error) {
    why = error.what();
  }
  expect_part(why, "same name");
}

// Written by the program that introduced version 6: train_classes.csv, 8 inducing inputs, defaults else.
TEST(ClassGolden, PredictsLikeItsWriter) {
  const Model model = Model::load(golden_path("version6_classes.model"));
  const Dataset probe = read_dataset(golden_path("probe.csv"), {.label = "kind"});
  ReadOptions options;
  options.label = "label";
  options.labels_required = false;
  options.ignore_labels = true;
  const Dataset stored = read_dataset(golden_path("version6_classes.csv"), options);
  EXPECT_EQ(model.names().classes, (std::vector<std::string>{"maybe", "no", "yes"}));
  ASSERT_EQ(stored.view().n, 12u);
  ASSERT_EQ(stored.view().d, 9u);
  const Prediction got = model.predict(probe.view());
  for (std::size_t i = 0; i < 12; ++i)
    for (std::size_t c = 0; c < 3; ++c) {
      const double* want = stored.view().row(i);
      EXPECT_NEAR(got.probabilities[3 * i + c], want[c], 1e-9)
          << i << ", " << c;  // the accuracy of softmax.hpp
      EXPECT_NEAR(got.mean[3 * i + c], want[3 + c], 1e-11 * (1 + std::fabs(want[3 + c]))) << i << ", " << c;
      EXPECT_NEAR(got.variance[3 * i + c], want[6 + c], 1e-11 * (1 + want[6 + c])) << i << ", " << c;
    }
  ASSERT_TRUE(model.explanation());
  EXPECT_EQ(model.explanation()->effects.size(), 3u);
}

}  // namespace
}  // namespace induce::test
