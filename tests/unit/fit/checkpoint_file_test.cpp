// Checkpoint files and the JSON inside them: round trips, and errors that name the fault. (The state of a fit
// is tested in unit/fit/checkpoint_test.cpp.)
#include "fit/checkpoint_file.hpp"

#include <gtest/gtest.h>

#include <induce/error.hpp>
#include <induce/fit.hpp>

#include "model/json_lists.hpp"
#include "model/safetensors.hpp"
#include "model/strict_json.hpp"
#include "unit/read/temporary.hpp"

namespace induce::test {
namespace {

TEST(JsonLists, StringsAndListsOfStrings) {
  EXPECT_EQ(json_lists(R"({"a": "x", "b": ["y", "z\n"], "": ""})"),
            (TextLists{{"a", {"x"}}, {"b", {"y", "z\n"}}, {"", {""}}}));
  EXPECT_TRUE(json_lists("{}").empty());
}

TEST(JsonLists, RejectsEverythingElse) {
  for (const std::string text :
       {"", "[]", "7", "\"a\"", "null", "{\"a\": null}", "{\"a\": true}", "{\"a\": 1}", "{\"a\": -1}",
        "{\"a\": 1.5}", "{\"a\": {}}", "{\"a\": [[]]}", "{\"a\": []}", "{\"a\": [\"x\", 1]}",
        "{\"a\": \"x\", \"a\": \"y\"}", "{\"a\": \"x\"", "{\"a\": \"x\"} {}", "[\"x\"]"})
    EXPECT_THROW(json_lists(text), JsonFault) << text;
  EXPECT_THROW(json_lists(std::string(1 << 22, '[')), JsonFault);
}

class CheckpointFile : public TemporaryFiles {
 protected:
  CheckpointFile() {
    Checkpoint made{
        .data = "0123", .options = {{"seed", "3"}}, .notes = {{"who", "me"}}, .state = {{"x", {1.5, -2}}}};
    write_checkpoint(path("good"), made);
    file_ = read_safetensors(path("good"), {.finite = false});
  }

  std::string refusal() const {
    try {
      parse_checkpoint(safetensors_bytes(file_), "it");
    } catch (const Error& error) {
      return error.what();
    }
    return "accepted";
  }
  void expect_refused(const std::string& part) const {
    EXPECT_NE(refusal().find("it: not a usable checkpoint: " + part), std::string::npos) << refusal();
  }

  TensorFile file_;
};

TEST_F(CheckpointFile, RoundTrip) {
  const Checkpoint found = read_checkpoint(path("good"));
  EXPECT_EQ(found.data, "0123");
  EXPECT_EQ(found.options.at("seed"), "3");
  EXPECT_EQ(found.state.at("x"), (std::vector<double>{1.5, -2}));
  EXPECT_EQ(read_checkpoint_notes(path("good")).at("who"), "me");
  EXPECT_EQ(refusal(), "accepted");
}

TEST_F(CheckpointFile, EveryPartMustBePresentAndValid) {
  const TensorFile good = file_;
  for (const std::string key : {"format", "format_version", "version", "data", "options", "notes"}) {
    file_ = good;
    file_.metadata.erase(key);
    expect_refused("metadata '" + key + "' is missing");
  }
  file_ = good;
  file_.metadata["format"] = "induce-model";
  expect_refused("its format is 'induce-model'");
  file_ = good;
  file_.metadata["format_version"] = "99";
  expect_refused("its format version is '99'; this program reads version 3");
  file_ = good;
  file_.metadata["version"] = std::string(1000, '7');
  expect_refused("it was written by induce '7777");
  EXPECT_LT(refusal().size(), 200U);
  for (const std::string text : {"", "[]", "{\"a\": []}", "{\"a\": [\"x\", \"y\"]}", "{\"a\": {\"b\": 1}}"}) {
    file_ = good;
    file_.metadata["options"] = text;
    expect_refused("metadata 'options' ");
  }
}

TEST_F(CheckpointFile, DetectsAFlippedBit) {
  std::string bytes = safetensors_bytes(file_);
  bytes.back() = static_cast<char>(bytes.back() ^ 1);
  EXPECT_THROW(parse_checkpoint(bytes, "it"), Error);
}

}  // namespace
}  // namespace induce::test
