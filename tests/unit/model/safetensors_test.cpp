// The safetensors format: round trips with a hash, and errors that name the fault. Oracle: the values
// written.
#include <limits>

#include "file/content_hash.hpp"
#include "unit/model/files.hpp"
#include "unit/read/temporary.hpp"

namespace induce::test {
namespace {

class Safetensors : public TemporaryFiles {};

TEST_F(Safetensors, RoundTrip) {
  TensorFile file = good_file();
  file.tensors["empty"] = {{0, 3}, {}};
  file.tensors["scalar"] = {{}, {7}};
  file.metadata["note"] = "quotes \" and \\ and \u00e4";
  write_safetensors(path("file"), file);
  const TensorFile back = read_safetensors(path("file"));
  EXPECT_TRUE(back.hashed);
  EXPECT_EQ(back.metadata, file.metadata);
  ASSERT_EQ(back.tensors.size(), file.tensors.size());
  for (const auto& [name, tensor] : file.tensors) {
    EXPECT_EQ(back.tensors.at(name).shape, tensor.shape) << name;
    EXPECT_EQ(back.tensors.at(name).values, tensor.values) << name;
  }
}

TEST_F(Safetensors, HashesTheFileWithZerosForTheDigits) {
  std::string bytes = safetensors_bytes(good_file());
  const std::string opening = "\"content_hash\":\"";
  const std::size_t digits = bytes.find(opening) + opening.size();
  const std::string stored = bytes.substr(digits, 16);
  bytes.replace(digits, 16, 16, '0');
  EXPECT_EQ(stored, hex_of_hash(content_hash(bytes)));
  EXPECT_NE(stored, std::string(16, '0'));
}

TEST_F(Safetensors, OnlyCheckpointsMayContainNonFiniteValues) {
  for (const double value :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    TensorFile file;
    file.tensors["x"] = {{2}, {1, value}};
    const std::string bytes = safetensors_bytes(file);
    const ReadAs as{.what = "checkpoint", .finite = false};
    EXPECT_EQ(std::isfinite(parse_safetensors(bytes, "it", as).tensors.at("x").values[1]), false);
    expect_part(refusal_of([&] { parse_safetensors(bytes, "it"); }),
                "it: not a model file: tensor 'x' holds");
  }
}

TEST_F(Safetensors, ErrorsNameTheExpectedKindOfFile) {
  const ReadAs as{.what = "checkpoint"};
  expect_part(refusal_of([&] { parse_safetensors("short", "the origin", as); }),
              "the origin: not a checkpoint: only 5 bytes");
}

TEST_F(Safetensors, RefusesToWriteUnreadableFiles) {
  TensorFile lookalike = good_file();
  lookalike.metadata["x\"content_hash"] = "0123456789abcdef";
  expect_part(refusal_of([&] { safetensors_bytes(lookalike); }), "a key that looks like content_hash");
  TensorFile many;
  for (int i = 0; i < 1025; ++i) many.tensors["t" + std::to_string(i)] = {{1}, {0}};
  expect_part(refusal_of([&] { safetensors_bytes(many); }), "more than 1024 tensors");
  TensorFile large_metadata;
  for (int i = 0; i < 5000; ++i) large_metadata.metadata["k" + std::to_string(i)] = "";
  expect_part(refusal_of([&] { safetensors_bytes(large_metadata); }), "more than 4096 metadata");
  TensorFile long_note;
  long_note.metadata["note"] = std::string((std::size_t{16} << 20) + 1, 'x');
  expect_part(refusal_of([&] { write_safetensors(path("file"), long_note); }), "bytes between two quotes");
  EXPECT_FALSE(std::filesystem::exists(path("file")));
  TensorFile invalid_utf8;
  invalid_utf8.metadata["note"] = "\xff";
  expect_part(refusal_of([&] { safetensors_bytes(invalid_utf8); }), "not UTF-8");
}

TEST_F(Safetensors, NotesCannotOverrideReservedKeys) {
  const Model model = Model::from_bytes(safetensors_bytes(good_file()));
  model.save(path("model"), {{"content_hash", "mine"}, {"format", "mine"}, {"mine", "content_hash"}});
  Model::load(path("model"));
  const TensorFile file = read_safetensors(path("model"));
  EXPECT_EQ(file.metadata.at("format"), "induce-model");
  EXPECT_EQ(file.metadata.at("mine"), "content_hash");
}

TEST_F(Safetensors, RejectsDuplicateClassNames) {
  TensorFile file = good_file();
  file.metadata["model"] =
      R"({"classes":["a","b"],"features":[],"kernel":"se","label":"","method":"vi-jj","weight":"w"})";
  EXPECT_EQ(Model::from_bytes(safetensors_bytes(file)).names().weight, "w");
  file.metadata["model"] = R"({"classes":["a","a"],"features":[],"kernel":"se","label":"","method":"vi-jj"})";
  expect_model_refused(safetensors_bytes(file), "two classes with the same name");
}

}  // namespace
}  // namespace induce::test
