// Files with a valid layout and invalid content: names, shapes, texts and numbers that no fit produces. Oracle: an
// Error that says which; if numbers are finite but absurd, predictions that are sane or rejected.
#include <functional>
#include <limits>
#include <vector>

#include "linalg/random.hpp"
#include "files.hpp"

namespace induce::test {
namespace {

struct Change {
  const char* part;  // of the Error
  std::function<void(TensorFile&)> spoil;
};

void set(TensorFile& file, const char* name, std::size_t at, double value) {
  file.tensors.at(name).values.at(at) = value;
}

TEST(Ranges, AcceptsTheValidFile) {
  expect_sane(predict_everywhere(Model::from_bytes(safetensors_bytes(good_file()))));
}

TEST(Ranges, NamesShapesAndNumbers) {
  const std::vector<Change> changes{
      {"'kernel.signal_std' is missing", [](auto& f) { f.tensors.erase("kernel.signal_std"); }},
      {"'kernel.lengthscales' is missing", [](auto& f) { f.tensors.erase("kernel.lengthscales"); }},
      {"'mean' is missing", [](auto& f) { f.tensors.erase("mean"); }},
      {"unexpected tensor 'theta'",
       [](auto& f) {
         f.tensors["theta"] = {{4}, {1, 1, 1, 0}};
       }},
      {"'warp_unit' is missing", [](auto& f) { f.tensors.erase("warp_unit"); }},
      {"unexpected tensor 'warp_origin'", [](auto& f) { f.tensors.erase("warp_exponent"); }},
      {"'importance' is missing", [](auto& f) { f.tensors.erase("importance"); }},
      {"'effect_values' is missing", [](auto& f) { f.tensors.erase("effect_values"); }},
      {"unexpected tensor 'effect_lower'", [](auto& f) { f.tensors.erase("effect_points"); }},
      {"unexpected tensor 'effect_lower'", [](auto& f) { f.metadata["format_version"] = "4"; }},
      {"'effect_upper' has the wrong shape",
       [](auto& f) {
         f.tensors["effect_upper"] = {{5}, {0, 0, 0, 0, 0}};
       }},
      {"'effect_values' has the wrong shape",
       [](auto& f) {
         f.tensors["effect_values"] = {{2, 2}, {5, -1, 0, 2}};
       }},
      {"'importance' has the wrong shape",
       [](auto& f) {
         f.tensors["importance"] = {{4}, {0, 0, 0, 0}};
       }},
      {"number of points is wrong", [](auto& f) { set(f, "effect_points", 1, 2); }},
      {"number of points is wrong", [](auto& f) { set(f, "effect_points", 1, 4); }},
      {"number of points is wrong", [](auto& f) { set(f, "effect_points", 0, 0.5); }},
      {"number of points is wrong", [](auto& f) { set(f, "effect_points", 0, -1); }},
      {"number of points is wrong", [](auto& f) { set(f, "effect_points", 0, 1e300); }},
      {"values do not increase", [](auto& f) { set(f, "effect_values", 2, -1); }},
      {"outside its band", [](auto& f) { set(f, "effect_lower", 3, 0.6); }},
      {"outside its band", [](auto& f) { set(f, "effect_upper", 0, -0.1); }},
      {"importance out of range", [](auto& f) { set(f, "importance", 0, -0.1); }},
      {"importance out of range", [](auto& f) { set(f, "importance", 3, 0.4); }},
      {"unexpected tensor 'more'",
       [](auto& f) {
         f.tensors["more"] = {{1}, {0}};
       }},
      {"not a matrix",
       [](auto& f) {
         f.tensors["inducing_inputs"] = {{4}, {0, 0, 0, 0}};
       }},
      {"no inducing inputs",
       [](auto& f) {
         f.tensors["inducing_inputs"] = {{0, 2}, {}};
       }},
      {"no features",
       [](auto& f) {
         f.tensors["inducing_inputs"] = {{2, 0}, {}};
       }},
      {"wrong shape",
       [](auto& f) {
         f.tensors["inducing_inputs"] = {{1, 2}, {0, 0}};
       }},
      {"wrong shape",
       [](auto& f) {
         f.tensors["whitener"] = {{4}, {1, 0, 0, 1}};
       }},
      {"wrong shape",
       [](auto& f) {
         f.tensors["whitener"] = {{1, 4}, {1, 0, 0, 1}};
       }},
      {"wrong shape",
       [](auto& f) {
         f.tensors["kernel.lengthscales"] = {{3}, {1, 1, 1}};
       }},
      {"wrong shape",
       [](auto& f) {
         f.tensors["kernel.signal_std"] = {{2}, {1, 1}};
       }},
      {"scale is not positive", [](auto& f) { set(f, "feature_scale", 1, 0); }},
      {"scale is not positive", [](auto& f) { set(f, "feature_scale", 1, -1); }},
      {"unit is not positive", [](auto& f) { set(f, "warp_unit", 0, -0.0); }},
      {"exponent is out of range", [](auto& f) { set(f, "warp_exponent", 0, 6.1); }},
      {"exponent is out of range", [](auto& f) { set(f, "warp_exponent", 0, -4.1); }},
      {"signal_std", [](auto& f) { set(f, "kernel.signal_std", 0, 0); }},
      {"signal_std", [](auto& f) { set(f, "kernel.signal_std", 0, 1e160); }},
      {"noise_std", [](auto& f) { set(f, "kernel.noise_std", 0, -1e-3); }},
      {"noise_std", [](auto& f) { set(f, "kernel.noise_std", 0, 1e160); }},
      {"a mean", [](auto& f) { set(f, "mean", 0, -1e160); }},
      {"jitter", [](auto& f) { set(f, "jitter", 0, 2); }},
      {"lengthscales", [](auto& f) { set(f, "kernel.lengthscales", 0, 0); }},
      {"lengthscales", [](auto& f) { set(f, "kernel.lengthscales", 1, 1e-160); }},
      {"inducing inputs", [](auto& f) { set(f, "inducing_inputs", 1, 1e120); }},
      {"not a Cholesky factor", [](auto& f) { set(f, "whitener", 1, 1e-9); }},
      {"not a Cholesky factor", [](auto& f) { set(f, "whitener", 3, 0); }},
      {"not a Cholesky factor", [](auto& f) { set(f, "whitener", 0, -1.5); }},
      {"not finite", [](auto& f) { set(f, "whitener", 3, std::numeric_limits<double>::denorm_min()); }},
      {"not symmetric", [](auto& f) { set(f, "posterior_shrink", 1, 0.06); }},
      {"not finite", [](auto& f) { set(f, "posterior_mean", 1, std::numeric_limits<double>::quiet_NaN()); }},
  };
  for (const Change& change : changes) {
    TensorFile file = good_file();
    change.spoil(file);
    expect_model_refused(safetensors_bytes(file), change.part);
  }
}

// Tensors that version 3 stored under other names.
TEST(Ranges, OfVersion3) {
  const TensorFile good = good_file_of_version_3();
  const Prediction now = predict_everywhere(Model::from_bytes(safetensors_bytes(good_file()))),
                   then = predict_everywhere(Model::from_bytes(safetensors_bytes(good)));
  EXPECT_EQ(then.probabilities, now.probabilities);
  EXPECT_EQ(then.variance, now.variance);
  const std::vector<Change> changes{
      {"'theta' is missing", [](auto& f) { f.tensors.erase("theta"); }},
      {"wrong shape",
       [](auto& f) {
         f.tensors["theta"] = {{3}, {1, 1, 1}};
       }},
      {"wrong shape",
       [](auto& f) {
         f.tensors["lengthscales"] = {{3}, {1, 1, 1}};
       }},
      {"unexpected tensor 'mean'",
       [](auto& f) {
         f.tensors["mean"] = {{1}, {0}};
       }},
      {"signal_std", [](auto& f) { set(f, "theta", 0, 0); }},
      {"noise_std", [](auto& f) { set(f, "theta", 1, -1e-3); }},
      {"a mean", [](auto& f) { set(f, "theta", 2, -1e160); }},
      {"jitter", [](auto& f) { set(f, "theta", 3, 2); }},
      {"lengthscales", [](auto& f) { set(f, "lengthscales", 1, 1e-160); }},
  };
  for (const Change& change : changes) {
    TensorFile file = good;
    change.spoil(file);
    expect_model_refused(safetensors_bytes(file), change.part);
  }
}

TEST(Ranges, Texts) {
  const auto with = [](const char* key, const char* text) {
    return [=](TensorFile& file) { file.metadata[key] = text; };
  };
  const std::vector<Change> changes{
      {"format is 'other'", with("format", "other")},
      {"'format' is missing", [](auto& f) { f.metadata.erase("format"); }},
      {"'version' is missing", [](auto& f) { f.metadata.erase("version"); }},
      {"'model' is missing", [](auto& f) { f.metadata.erase("model"); }},
      {"format version is '0'", with("format_version", "0")},
      {"format version is ''", with("format_version", "")},
      {"format version is '3 '", with("format_version", "3 ")},
      {"format version is '+3'", with("format_version", "+3")},
      {"format version is 99", with("format_version", "99")},
      {"format version is '99999999999'", with("format_version", "99999999999")},
      {"version 1 cannot have warps", with("format_version", "1")},
      {"is not JSON", with("model", "{")},
      {"a list", with("model", "[]")},
      {"lacks classes", with("model", "{}")},
      {"a list", with("model", R"({"kernel":["se"]})")},
      {"a list", with("model", R"({"features":[["a"]]})")},
      {"an object", with("model", R"({"features":{}})")},
      {"a string", with("model", R"({"features":"a"})")},
      {"a number", with("model", R"({"features":[1]})")},
      {"a null", with("model", R"({"kernel":null})")},
      {"names 'kernel' twice", with("model", R"({"kernel":"se","kernel":"se"})")},
      {"the unknown key 'path'", with("model", R"({"path":"/etc/passwd"})")},
      {"lacks features", with("model", R"({"classes":["a","b"],"kernel":"se","label":"","method":"m"})")},
      {"has 1 classes",
       with("model", R"({"classes":["a"],"features":[],"kernel":"se","label":"","method":"m"})")},
      {"it is for two classes",
       with("model", R"({"classes":["a","b","c"],"features":[],"kernel":"se","label":"","method":"m"})")},
      {"names 1 features",
       with("model", R"({"classes":["a","b"],"features":["x"],"kernel":"se","label":"","method":"m"})")},
      {"unknown kernel 'rbf'",
       with("model", R"({"classes":["a","b"],"features":[],"kernel":"rbf","label":"","method":"m"})")},
      {"from 0.1 to 30",
       with("model", R"({"classes":["a","b"],"features":[],"kernel":"matern:nan","label":"","method":"m"})")},
  };
  for (const Change& change : changes) {
    TensorFile file = good_file();
    change.spoil(file);
    expect_model_refused(safetensors_bytes(file), change.part);
  }
}

TEST(Ranges, Version3NeedsItsHash) {
  std::string bytes = golden_bytes("version2.model");
  const std::string old_version = "\"format_version\":\"2\"";
  bytes[bytes.find(old_version) + old_version.size() - 2] = '3';
  expect_model_refused(bytes, "content_hash is missing");
}

// Sets each number in turn, for each kernel, to the extremes that the range checks accept.
TEST(Ranges, FiniteButAbsurd) {
  int predicted = 0, refused = 0;
  Random random(5);
  for (const char* kernel : {"se", "matern12", "matern32", "matern52", "matern:0.3", "matern:12"}) {
    TensorFile good = good_file();
    good.metadata["model"] = R"({"classes":["a","b"],"features":[],"label":"","method":"m","kernel":")" +
                             std::string(kernel) + "\"}";
    for (int round = 0; round < 500; ++round) {
      TensorFile file = good;
      for (auto& [name, tensor] : file.tensors)
        for (double& value : tensor.values)
          if (random.uniform() < 0.2) value *= std::pow(10, 600 * (random.uniform() - 0.5));
      auto& D = file.tensors["posterior_shrink"].values;
      D[2] = D[1];
      try {
        const Model model = Model::from_bytes(safetensors_bytes(file));
        expect_sane(predict_everywhere(model));
        ++predicted;
      } catch (const Error&) {
        ++refused;
      }
    }
  }
  EXPECT_GT(predicted, 100);
  EXPECT_GT(refused, 100);
}

TEST(Ranges, ErrorNamesTheNonFiniteRow) {
  const Model model = Model::from_bytes(safetensors_bytes(good_file()));
  const double rows[] = {0, 0, 1, std::numeric_limits<double>::quiet_NaN()};
  expect_part(refusal_of([&] { model.predict({rows, 2, 2}); }), "row 1 cannot be predicted");
}

}  // namespace
}  // namespace induce::test
