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

TEST(ModelWithTerms, EveryTruncationIsRefused) {
  const std::string whole = golden_bytes(golden);
  for (std::size_t length = 0; length < whole.size(); length += 101)
    expect_model_refused(whole.substr(0, length));
}

}  // namespace
}  // namespace induce::test
