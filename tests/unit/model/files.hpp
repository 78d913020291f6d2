// Shared by the tests of model files: stored files, handmade files, and the check that an invalid file gives an
// Error.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include <induce/error.hpp>
#include <induce/model.hpp>

#include "model/safetensors.hpp"

namespace induce::test {

inline std::string golden_path(const std::string& name) { return INDUCE_TESTS "/golden/" + name; }

inline std::string golden_bytes(const std::string& name) {
  std::ifstream in(golden_path(name), std::ios::binary);
  EXPECT_TRUE(in) << golden_path(name);
  return {(std::istreambuf_iterator<char>(in)), {}};
}

// A file with the given header and data.
inline std::string file_with(std::string_view header, std::string_view data = "") {
  const std::uint64_t length = header.size();
  std::string bytes(sizeof length, '\0');
  std::memcpy(bytes.data(), &length, sizeof length);
  return bytes.append(header).append(data);
}

// The message of the Error; fails the test if there is none. Any other exception fails the test anyway.
template <class Action>
std::string refusal_of(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::data) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "was accepted";
  return "";
}

inline void expect_part(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in: " << text;
}

inline void expect_model_refused(const std::string& bytes, const std::string& part = "") {
  expect_part(refusal_of([&] { Model::from_bytes(bytes); }), part);
}

// A valid model for tests to corrupt: two inducing inputs, two features, warped.
inline TensorFile good_file() {
  TensorFile file;
  file.tensors = {{"inducing_inputs", {{2, 2}, {0, 1, 1, -0.5}}},
                  {"feature_shift", {{2}, {0.5, 0}}},
                  {"feature_scale", {{2}, {2, 1}}},
                  {"kernel.signal_std", {{1}, {1.5}}},
                  {"kernel.lengthscales", {{2}, {1, 3}}},
                  {"kernel.noise_std", {{1}, {0.1}}},
                  {"mean", {{1}, {-0.2}}},
                  {"jitter", {{1}, {1e-10}}},
                  {"whitener", {{2, 2}, {1.5, 0, 0.5, 1.4}}},
                  {"posterior_mean", {{2}, {1, -1}}},
                  {"posterior_shrink", {{2, 2}, {0.9, 0.05, 0.05, 0.8}}},
                  {"warp_origin", {{2}, {0, 0}}},
                  {"warp_unit", {{2}, {1, 2}}},
                  {"warp_exponent", {{2}, {0.5, 1}}},
                  {"effect_points", {{2}, {1, 3}}},
                  {"effect_values", {{4}, {5, -1, 0, 2}}},
                  {"effect_mean", {{4}, {0, -0.5, 0, 0.5}}},
                  {"effect_lower", {{4}, {0, -1, -0.5, 0}}},
                  {"effect_upper", {{4}, {0, 0, 0.5, 1}}},
                  {"importance", {{2, 2}, {0, 0, 0.5, 0.75}}}};
  file.metadata = {
      {"format", "induce-model"},
      {"format_version", "5"},
      {"version", "0.1.0"},
      {"model",
       R"({"classes":["no","yes"],"features":["a","b"],"kernel":"matern52","likelihood":"logistic","label":"kind","method":"vi-jj"})"}};
  return file;
}

// The same in version 3: sigma_f, sigma_n, mean and jitter in one tensor, no likelihood.
inline TensorFile good_file_of_version_3() {
  TensorFile file = good_file();
  for (const char* name : {"kernel.signal_std", "kernel.lengthscales", "kernel.noise_std", "mean", "jitter"})
    file.tensors.erase(name);
  for (const char* name :
       {"effect_points", "effect_values", "effect_mean", "effect_lower", "effect_upper", "importance"})
    file.tensors.erase(name);
  file.tensors["lengthscales"] = {{2}, {1, 3}};
  file.tensors["theta"] = {{4}, {1.5, 0.1, -0.2, 1e-10}};
  file.metadata["format_version"] = "3";
  file.metadata["model"] =
      R"({"classes":["no","yes"],"features":["a","b"],"kernel":"matern52","label":"kind","method":"vi-jj"})";
  return file;
}

// Rows near the inputs, far away and extreme.
inline Prediction predict_everywhere(const Model& model) {
  std::vector<double> rows;
  for (const double x : {0.0, 1.0, -2.5, 1e-300, 1e30, -1e160, 1.7e308})
    for (std::size_t f = 0; f < model.features(); ++f) rows.push_back(f % 2 ? -x : x);
  return model.predict({rows.data(), rows.size() / model.features(), model.features()}, 1);
}

inline void expect_sane(const Prediction& prediction) {
  for (const double p : prediction.probabilities) EXPECT_TRUE(p >= 0 && p <= 1) << p;
  for (const double mean : prediction.mean) EXPECT_TRUE(std::isfinite(mean)) << mean;
  for (const double S2 : prediction.variance) EXPECT_TRUE(S2 >= 0 && std::isfinite(S2)) << S2;
}

}  // namespace induce::test
