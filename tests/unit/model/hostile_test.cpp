// Bytes that are not a model, by accident or malice. Oracle: an Error and nothing else; no crash, no hang, and
// memory bounded by the file size plus a constant.
#include <sys/resource.h>
#include <sys/stat.h>

#include <filesystem>
#include <utility>
#include <vector>

#include "files.hpp"
#include "unit/read/temporary.hpp"

namespace induce::test {
namespace {

class Hostile : public TemporaryFiles {};

constexpr std::size_t megabyte = std::size_t{1} << 20;

std::size_t peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::size_t>(usage.ru_maxrss) * 1024;
}

TEST_F(Hostile, EveryTruncation) {
  for (const std::string& whole : {golden_bytes("version2.model"), safetensors_bytes(good_file())})
    for (std::size_t length = 0; length < whole.size(); ++length) {
      SCOPED_TRACE(length);
      expect_model_refused(whole.substr(0, length));
    }
}

TEST_F(Hostile, HashDetectsEveryFlippedBit) {
  std::string bytes = safetensors_bytes(good_file());
  Model::from_bytes(bytes);
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    SCOPED_TRACE(bit);
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << bit % 8));
    expect_model_refused(bytes);
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << bit % 8));
  }
}

TEST_F(Hostile, FlippedBitsWithoutAHashAreHarmless) {
  int loaded = 0, predicted = 0;
  for (const char* name : {"version2.model", "version2_weighted.model"}) {
    std::string bytes = golden_bytes(name);
    for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
      bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << bit % 8));
      try {
        const Model model = Model::from_bytes(bytes);
        ++loaded;
        expect_sane(predict_everywhere(model));
        ++predicted;
      } catch (const Error&) {
      }
      bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << bit % 8));
    }
  }
  EXPECT_GT(loaded, 0);  // some flips only change a digit
  EXPECT_GT(predicted, 0);
}

TEST_F(Hostile, Headers) {
  const std::string ends = "\"dtype\":\"F64\",\"shape\":[1],\"data_offsets\":[0,8]}";
  const std::vector<std::pair<std::string, const char*>> headers{
      {"", "is not JSON"},
      {"{", "is not JSON"},
      {"[]", "a list"},
      {"7", "a number"},
      {"{} {}", "is not JSON"},
      {"{}/*comment*/", "is not JSON"},
      {"{\"x\":{" + ends + "}", ""},  // the valid one
      {"{\"x\":{" + ends + ",\"x\":{" + ends + "}", "names 'x' twice"},
      {"{\"x\":{\"dtype\":\"F64\"," + ends + "}", "names 'dtype' twice"},
      {"{\"x\":{\"shape\":[1]," + ends + "}", "a list"},
      {"{\"x\":{\"more\":\"F64\"," + ends + "}", "a string"},
      {"{\"x\":{\"more\":{}," + ends + "}", "an object"},
      {"{\"x\":{}}", "lacks the dtype, shape or data_offsets"},
      {"{\"x\":1}", "a number"},
      {"{\"x\":null}", "a null"},
      {"{\"__metadata__\":{},\"__metadata__\":{}}", "names '__metadata__' twice"},
      {"{\"__metadata__\":{\"a\":\"\",\"a\":\"\"}}", "names 'a' twice"},
      {"{\"__metadata__\":{\"a\":1}}", "a number"},
      {"{\"__metadata__\":[]}", "a list"},
      {"{\"x\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}}", "is not F64"},
      {"{\"x\":{\"dtype\":1,\"shape\":[1],\"data_offsets\":[0,8]}}", "a number"},
      {"{\"x\":{\"dtype\":\"F64\",\"shape\":1,\"data_offsets\":[0,8]}}", "a number"},
      {"{\"x\":{\"dtype\":\"F64\",\"shape\":[[1]],\"data_offsets\":[0,8]}}", "a list"},
      {"{\"x\":{\"dtype\":\"F64\",\"shape\":[-1],\"data_offsets\":[0,8]}}", "a negative number"},
      {"{\"x\":{\"dtype\":\"F64\",\"shape\":[1.0],\"data_offsets\":[0,8]}}", "a fraction"},
      {"{\"x\":{\"dtype\":\"F64\",\"shape\":[1],\"data_offsets\":[-8,8]}}", "a negative number"},
      {"{\"x\":{\"dtype\":\"F64\",\"shape\":[1],\"data_offsets\":[0,8.0]}}", "a fraction"},
      {"{\"x\":{\"dtype\":\"F64\",\"shape\":[1],\"data_offsets\":[0,99999999999999999999]}}",
       "a huge number"},
      {"{\"x\":{\"dtype\":\"F64\",\"shape\":[1],\"data_offsets\":[8]}}", "data_offsets that are not a pair"},
      {"{\"x\":{\"dtype\":\"F64\",\"shape\":[1],\"data_offsets\":[0,4,8]}}", "a number"},
      {"{\"x\":{\"dtype\":\"F64\",\"shape\":[1],\"data_offsets\":[8,0]}}", "outside the file"},
      {"{\"x\":{\"dtype\":\"F64\",\"shape\":[2],\"data_offsets\":[0,16]}}", "outside the file"},
      {"{\"x\":{\"dtype\":\"F64\",\"shape\":[1],\"data_offsets\":[8,18446744073709551615]}}",
       "outside the file"},
      {"{\"x\":{\"dtype\":\"F64\",\"shape\":[2],\"data_offsets\":[0,8]}}", "does not match its data_offsets"},
      {"{\"x\":{\"dtype\":\"F64\",\"shape\":[],\"data_offsets\":[0,7]}}", "does not match its data_offsets"},
      {"{\"x\":{\"dtype\":\"F64\",\"shape\":[2305843009213693953],\"data_offsets\":[0,8]}}",
       "impossible shape"},
      {"{\"x\":{\"dtype\":\"F64\",\"shape\":[4294967296,4294967296,2],\"data_offsets\":[0,0]}}",
       "impossible shape"},
      {"{\"x\":{\"dtype\":\"F64\",\"shape\":[1,1,1,1,1,1,1,1,1],\"data_offsets\":[0,8]}}", "a number"},
      {"{\"x\":{\"dtype\":\"F64\",\"shape\":[0],\"data_offsets\":[0,0]}}", "belong to no tensor"},
      {"{\"x\":{" + ends + ",\"y\":{" + ends + "}", "a gap or overlap"},
      {"{\"\xff\":{" + ends + "}", "is not JSON"},
      {"{\"\xed\xa0\x80\":{" + ends + "}", "is not JSON"},  // half of a surrogate pair
      {std::string("{\"x\0\":{", 7) + ends + "}", "is not JSON"},
  };
  for (const auto& [header, part] : headers) {
    SCOPED_TRACE(header);
    const std::string bytes = file_with(header, std::string(8, '\0'));
    if (*part)
      expect_part(refusal_of([&] { parse_safetensors(bytes, "it"); }), part);
    else
      EXPECT_EQ(parse_safetensors(bytes, "it").tensors.at("x").values, std::vector<double>{0});
  }
}

TEST_F(Hostile, HeaderLengths) {
  for (const std::uint64_t length : {std::uint64_t{3}, std::uint64_t{1} << 31, std::uint64_t{1} << 32,
                                     std::uint64_t{1} << 63, ~std::uint64_t{0}, ~std::uint64_t{0} - 7}) {
    std::string bytes = file_with("{}");
    std::memcpy(bytes.data(), &length, sizeof length);
    expect_part(refusal_of([&] { parse_safetensors(bytes, "it"); }), "header does not fit");
  }
}

TEST_F(Hostile, DeepNestingUsesNoMemory) {
  for (const char* start : {"", "{\"x\":", "{\"x\":{\"shape\":["}) {
    std::string header = start;
    header.reserve(50 * megabyte + 4);
    while (header.size() < 50 * megabyte) header += "[\"\",";
    write("deep", file_with(header));
    const std::size_t before = peak_memory();
    expect_part(refusal_of([&] { Model::load(path("deep")); }), "has a list where it is not allowed");
    EXPECT_LT(peak_memory() - before, 50 * megabyte + 16 * megabyte);
  }
}

TEST_F(Hostile, AMillionTinyEntriesUseLittleMemory) {
  std::string metadata = "{\"__metadata__\":{", tensors = "{", names;
  for (int i = 0; i < 1000000; ++i) {
    const std::string key = (i ? ",\"" : "\"") + std::to_string(i) + "\":";
    metadata += key + "\"\"";
    tensors += key + "{\"dtype\":\"F64\",\"shape\":[0],\"data_offsets\":[0,0]}";
  }
  const std::string many = file_with(metadata + "}}"), more = file_with(tensors + "}");
  TensorFile named = good_file();
  for (int i = 0; i < 1000000; ++i) names += i ? ",\"\"" : "\"\"";
  named.metadata["model"] =
      R"({"classes":["a","b"],"kernel":"se","label":"","method":"m","features":[)" + names + "]}";
  const std::string nameless = safetensors_bytes(named);
  const std::size_t before = peak_memory();
  expect_model_refused(many, "more than 4096 metadata entries");
  expect_model_refused(more, "more than 1024 tensors");
  expect_model_refused(nameless, "too many features");
  EXPECT_LT(peak_memory() - before, 32 * megabyte);
}

TEST_F(Hostile, LongTexts) {
  const std::string start = "{\"__metadata__\":{\"x\":\"";
  expect_model_refused(file_with(start + std::string(17 * megabyte, 'x') + "\"}}"),
                       "bytes between two quotes");
  std::string escaped = start;
  for (std::size_t i = 0; i < 9 * megabyte; ++i) escaped += "\\\"";
  expect_model_refused(file_with(escaped + "\"}}"));
  expect_model_refused(file_with("{" + std::string(17 * megabyte, ' ') + "}"), "bytes between two quotes");
  expect_model_refused(file_with(std::string(101 * megabyte, ' ')), "bytes, the limit is");
}

TEST_F(Hostile, PathsThatAreNotFiles) {
  expect_part(refusal_of([&] { Model::load("/dev/zero"); }), "a pipe or a device");
  expect_part(refusal_of([&] { Model::load(path("")); }), "it is a folder");
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  expect_part(refusal_of([&] { Model::load(path("pipe")); }),
              "a pipe or a device");  // nothing ever writes to it
  expect_part(refusal_of([&] { Model::load(path("absent")); }), "cannot be read");
  expect_part(refusal_of([&] { Model::load(""); }), "cannot be read");
  write("empty", "");
  expect_part(refusal_of([&] { Model::load(path("empty")); }), "only 0 bytes");
}

TEST_F(Hostile, AFileLargerThanMemory) {
  write("sparse", "x");
  std::error_code error;
  std::filesystem::resize_file(path("sparse"), std::uintmax_t{1} << 43, error);
  if (error) return;  // this file system does not support such sizes
  expect_part(refusal_of([&] { Model::load(path("sparse")); }), "of memory, ");
}

}  // namespace
}  // namespace induce::test
