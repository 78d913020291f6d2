// Model files with terms: hostile versions of the golden file.
#include <functional>
#include <string>
#include <vector>

#include "files.hpp"

namespace induce::test {
namespace {

const std::string golden = "version9_terms.model";

TEST(ModelWithTerms, HostileNumbersAreRefused) {
  struct Case {
    const char* tensor;
    std::function<void(Tensor&)> change;
    const char* part;
  };
  const auto first = [](double value) { return [value](Tensor& tensor) { tensor.values[0] = value; }; };
  const std::vector<Case> cases{
      {"knots.1", first(1e9), "not increasing"},
      {"knots.1", first(NAN), "not finite"},
      {"knots.1", [](Tensor& tensor) { std::swap(tensor.shape[0], tensor.shape[1]); }, "knots.1"},
      {"knots.1", [](Tensor& tensor) { tensor.shape = {2 * tensor.shape[1]}; }, "knots.1"},
      {"kernel.mains.signal_std", first(-1), "mains.signal_std out of range"},
      {"kernel.mains.lengthscales", first(0), "mains.lengthscales out of range"},
      {"kernel.pairs.signal_std", first(INFINITY), "not finite"},
      {"posterior_mean",
       [](Tensor& tensor) {
         tensor.values.pop_back();
         --tensor.shape[0];
       },
       "wrong shape"},
  };
  for (const Case& each : cases) {
    SCOPED_TRACE(std::string(each.tensor) + ": " + each.part);
    TensorFile file = read_safetensors(golden_path(golden));
    ASSERT_TRUE(file.tensors.contains(each.tensor));
    each.change(file.tensors[each.tensor]);
    expect_model_refused(safetensors_bytes(file), each.part);
  }
  for (const char* tensor : {"knots.1", "kernel.mains.signal_std", "kernel.pairs.signal_std"}) {
    SCOPED_TRACE(tensor);
    TensorFile file = read_safetensors(golden_path(golden));
    file.tensors.erase(tensor);
    expect_model_refused(safetensors_bytes(file));
  }
}

TEST(ModelWithTerms, HostileNamesAreRefused) {
  for (const char* kernel : {"se+mains:0,9+pairs:2*0", "se+mains:age+pairs:0*2", "se+mains:0,1+pairs:2",
                             "se+mains:0,1", "mains:0,1+pairs:0*2", "se"}) {
    SCOPED_TRACE(kernel);
    TensorFile file = read_safetensors(golden_path(golden));
    std::string& text = file.metadata["model"];
    const std::string before = "se+mains:1,0+pairs:2*0";
    ASSERT_NE(text.find(before), std::string::npos) << text;
    text.replace(text.find(before), before.size(), kernel);
    expect_model_refused(safetensors_bytes(file));
  }
}

TEST(ModelWithTerms, OlderVersionsCannotHaveThem) {
  TensorFile file = read_safetensors(golden_path(golden));
  file.metadata["format_version"] = "8";
  expect_model_refused(safetensors_bytes(file), "before version 9 cannot have terms");
}

// The golden file with shares and the effect of its pair, which earlier files of version 9 lack: city (4 levels, gaps) and paid (2
// levels, no gaps).
TensorFile with_shares() {
  TensorFile file = read_safetensors(golden_path(golden));
  file.tensors["term_shares"] = {{7}, {0.1, 0.2, 0.1, 0.1, 0.1, 0.3, 0.1}};
  file.tensors["pair_values.0*2"] = {{6}, {0, 1, 2, 3, 0, 1}};
  Tensor& effect = file.tensors["pair_effect.0*2"] = {{3, 1, 5, 2}, std::vector<double>(30, 0)};
  std::fill_n(effect.values.begin() + 10, 10, -1);
  std::fill_n(effect.values.begin() + 20, 10, 1);
  return file;
}

TEST(ModelWithTerms, SharesAndPairsAreOptional) {
  const Model without = Model::load(golden_path(golden));
  ASSERT_TRUE(without.explanation());
  EXPECT_TRUE(without.explanation()->terms.empty());
  EXPECT_TRUE(without.explanation()->pairs.empty());
  const Model with = Model::from_bytes(safetensors_bytes(with_shares()));
  ASSERT_EQ(with.explanation()->terms.size(), 7u);
  EXPECT_EQ(with.explanation()->terms[5].features, (std::vector<std::size_t>{0, 2}));
  EXPECT_EQ(with.explanation()->terms[5].share, 0.3);
  EXPECT_TRUE(with.explanation()->terms[6].features.empty());
  const PairEffect& pair = with.explanation()->pairs.at(0);
  EXPECT_EQ(pair.second.feature, 2u);
  EXPECT_FALSE(pair.second.missing);
  EXPECT_TRUE(pair.first.missing);
  EXPECT_EQ(pair.first.values, (std::vector<double>{0, 1, 2, 3}));
  EXPECT_EQ(pair.lower, std::vector<double>(10, -1));
  EXPECT_EQ(Model::from_bytes(with.to_bytes()).explanation()->pairs.at(0).upper, pair.upper);
}

TEST(ModelWithTerms, HostileSharesAndPairsAreRefused) {
  const auto refused = [](const char* tensor, const std::function<void(Tensor&)>& change, const char* part) {
    SCOPED_TRACE(std::string(tensor) + ": " + part);
    TensorFile file = with_shares();
    change(file.tensors[tensor]);
    expect_model_refused(safetensors_bytes(file), part);
  };
  refused(
      "term_shares",
      [](Tensor& tensor) {
        tensor = {{6}, std::vector<double>(6, 0)};
      },
      "wrong shape");
  refused(
      "term_shares", [](Tensor& tensor) { tensor.values[0] = 1.5; }, "share of a term");
  refused(
      "pair_values.0*2", [](Tensor& tensor) { tensor.values[1] = 0; }, "do not increase");
  refused(
      "pair_values.0*2", [](Tensor& tensor) { tensor.values[0] = -1; },
      "a level that a column does not have");
  refused(
      "pair_values.0*2", [](Tensor& tensor) { tensor.values[5] = 9; }, "a level that a column does not have");
  refused(
      "pair_values.0*2",
      [](Tensor& tensor) {
        tensor = {{5}, {0, 1, 2, 3, 0}};
      },
      "does not match its values");
  refused(
      "pair_effect.0*2",
      [](Tensor& tensor) {
        tensor.shape = {3, 1, 2, 5};
      },
      "do not increase");
  refused(
      "pair_effect.0*2",
      [](Tensor& tensor) {
        tensor.shape = {3, 1, 10, 1};
      },
      "does not match its values");
  refused(
      "pair_effect.0*2", [](Tensor& tensor) { tensor.shape = {30}; }, "does not match its values");
  refused(
      "pair_effect.0*2", [](Tensor& tensor) { tensor.values[0] = 2; }, "outside its band");
  refused(
      "pair_effect.0*2", [](Tensor& tensor) { tensor.values[20] = NAN; }, "not finite");
  for (const char* tensor : {"term_shares", "pair_values.0*2", "pair_effect.0*2"}) {
    SCOPED_TRACE(tensor);
    TensorFile file = with_shares();
    file.tensors.erase(tensor);
    expect_model_refused(safetensors_bytes(file),
                         tensor == std::string("term_shares") ? "unexpected tensor" : "missing");
  }
}

TEST(ModelWithTerms, EveryTruncationIsRefused) {
  const std::string whole = golden_bytes(golden);
  for (std::size_t length = 0; length < whole.size(); length += 101)
    expect_model_refused(whole.substr(0, length));
}

}  // namespace
}  // namespace induce::test
